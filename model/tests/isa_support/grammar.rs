// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Reads the EBNF of `docs/assembly.md`, recognises lines with it and derives lines from it.

use std::collections::BTreeMap;

/// A node of a rule.
#[derive(Debug)]
pub enum Node {
    Sequence(Vec<Node>),
    Choice(Vec<Node>),
    Optional(Box<Node>),
    Repeat(Box<Node>),
    Literal(String),
    Rule(String),
    Class(String),
}

/// The rules by name.
pub struct Grammar(BTreeMap<String, Node>);

/// The words and marks of the EBNF itself, or of a line.
fn ebnf_tokens(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '"' | '?' => 2 + rest[1..].find(first).expect("closing mark"),
            c if c.is_alphabetic() => rest
                .find(|c: char| !c.is_alphanumeric() && c != '_')
                .unwrap_or(rest.len()),
            c => c.len_utf8(),
        };
        tokens.push(rest[..length].to_owned());
        rest = rest[length..].trim_start();
    }
    tokens
}

impl Grammar {
    pub fn read(text: &str) -> Self {
        let tokens = ebnf_tokens(text);
        let mut rules = BTreeMap::new();
        for rule in tokens.split(|token| token == ";").filter(|r| !r.is_empty()) {
            assert_eq!(rule[1], "=", "{rule:?}");
            let mut at = 2;
            let node = choice(rule, &mut at);
            assert_eq!(at, rule.len(), "{rule:?}");
            assert!(rules.insert(rule[0].clone(), node).is_none(), "{rule:?}");
        }
        Self(rules)
    }

    fn rule(&self, name: &str) -> &Node {
        self.0.get(name).unwrap_or_else(|| panic!("no rule {name}"))
    }

    /// Whether the line's tokens derive from `line`.
    pub fn accepts(&self, line: &str) -> bool {
        let Some(tokens) = line_tokens(line) else {
            return false;
        };
        self.ends(self.rule("line"), &tokens, vec![0])
            .contains(&tokens.len())
    }

    /// Where a match of `node` that begins at one of `starts` can end, ascending.
    fn ends(&self, node: &Node, tokens: &[String], starts: Vec<usize>) -> Vec<usize> {
        let mut ends: Vec<usize> = match node {
            Node::Sequence(parts) => parts
                .iter()
                .fold(starts, |at, part| self.ends(part, tokens, at)),
            Node::Choice(options) => options
                .iter()
                .flat_map(|option| self.ends(option, tokens, starts.clone()))
                .collect(),
            Node::Optional(inner) => {
                let mut ends = self.ends(inner, tokens, starts.clone());
                ends.extend(starts);
                ends
            }
            Node::Repeat(inner) => {
                let mut all = starts.clone();
                let mut fresh = starts;
                while !fresh.is_empty() {
                    fresh = self.ends(inner, tokens, fresh);
                    fresh.retain(|end| !all.contains(end));
                    all.extend(&fresh);
                }
                all
            }
            Node::Rule(name) => self.ends(self.rule(name), tokens, starts),
            Node::Literal(text) => step(tokens, &starts, |t| t.eq_ignore_ascii_case(text)),
            Node::Class(class) => step(tokens, &starts, |t| class_holds(class, t)),
        };
        ends.sort_unstable();
        ends.dedup();
        ends
    }

    /// A random line of the grammar; `pick(n)` gives a number below `n`.
    pub fn derive(&self, pick: &mut impl FnMut(usize) -> usize) -> String {
        let mut words = Vec::new();
        self.derive_node(self.rule("line"), pick, &mut words);
        words.join(" ")
    }

    fn derive_node(
        &self,
        node: &Node,
        pick: &mut impl FnMut(usize) -> usize,
        out: &mut Vec<String>,
    ) {
        match node {
            Node::Sequence(parts) => parts.iter().for_each(|p| self.derive_node(p, pick, out)),
            Node::Choice(options) => self.derive_node(&options[pick(options.len())], pick, out),
            Node::Optional(inner) => {
                if pick(4) > 0 {
                    self.derive_node(inner, pick, out);
                }
            }
            Node::Repeat(inner) => (0..pick(4)).for_each(|_| self.derive_node(inner, pick, out)),
            Node::Rule(name) => self.derive_node(self.rule(name), pick, out),
            Node::Literal(text) => out.push(text.clone()),
            Node::Class(class) => out.push(
                match class.as_str() {
                    NAME => ["none", "int8", "sem_ge_imm", "evt_set_read", "lnc1", "_x"][pick(6)],
                    NUMBER => ["0", "1", "0x10", "255", "0b11", "65_535"][pick(6)],
                    REGISTER => ["r0", "R63", "r64"][pick(3)],
                    PARTITION => ["p0", "P127", "wp5", "WP128"][pick(4)],
                    other => panic!("no such class: {other}"),
                }
                .to_owned(),
            ),
        }
    }
}

const NAME: &str = "a word that starts with a letter or an underscore";
const NUMBER: &str = "a word that starts with a digit";
const REGISTER: &str = "\"r\" and decimal digits in one word";
const PARTITION: &str = "\"p\" or \"wp\" and decimal digits in one word";

fn class_holds(class: &str, token: &str) -> bool {
    let starts = |accept: fn(char) -> bool| token.starts_with(accept);
    let numbered = |prefix: &str| {
        token
            .get(..prefix.len())
            .is_some_and(|head| head.eq_ignore_ascii_case(prefix))
            && token.len() > prefix.len()
            && token[prefix.len()..].chars().all(|c| c.is_ascii_digit())
    };
    match class {
        NAME => starts(|c| c.is_ascii_alphabetic() || c == '_'),
        NUMBER => starts(|c| c.is_ascii_digit()),
        REGISTER => numbered("r"),
        PARTITION => numbered("p") || numbered("wp"),
        other => panic!("no such class: {other}"),
    }
}

fn step(tokens: &[String], starts: &[usize], accept: impl Fn(&str) -> bool) -> Vec<usize> {
    let matches = |at: &&usize| tokens.get(**at).is_some_and(|t| accept(t));
    starts.iter().filter(matches).map(|at| at + 1).collect()
}

/// The tokens of an assembly line; `None` if a character is in no token.
fn line_tokens(line: &str) -> Option<Vec<String>> {
    let mut tokens: Vec<String> = Vec::new();
    let mut in_word = false;
    for c in line.split('#').next().unwrap_or_default().chars() {
        let word = c.is_ascii_alphanumeric() || c == '_';
        match (word, in_word, tokens.last_mut()) {
            (true, true, Some(last)) => last.push(c),
            (true, _, _) => tokens.push(c.to_string()),
            (false, _, _) if "=[],@+-.".contains(c) => tokens.push(c.to_string()),
            (false, _, _) if " \t\r".contains(c) => {}
            _ => return None,
        }
        in_word = word;
    }
    Some(tokens)
}

fn choice(tokens: &[String], at: &mut usize) -> Node {
    let mut options = vec![sequence(tokens, at)];
    while tokens.get(*at).is_some_and(|t| t == "|") {
        *at += 1;
        options.push(sequence(tokens, at));
    }
    Node::Choice(options)
}

fn sequence(tokens: &[String], at: &mut usize) -> Node {
    let mut parts = vec![factor(tokens, at)];
    while tokens.get(*at).is_some_and(|t| t == ",") {
        *at += 1;
        parts.push(factor(tokens, at));
    }
    Node::Sequence(parts)
}

fn factor(tokens: &[String], at: &mut usize) -> Node {
    let token = tokens[*at].as_str();
    *at += 1;
    let mut bracketed = |close: &str| {
        let inner = choice(tokens, at);
        assert_eq!(tokens[*at], close);
        *at += 1;
        Box::new(inner)
    };
    match token {
        "[" => Node::Optional(bracketed("]")),
        "{" => Node::Repeat(bracketed("}")),
        "(" => *bracketed(")"),
        _ if token.starts_with('"') => Node::Literal(token.trim_matches('"').to_owned()),
        _ if token.starts_with('?') => Node::Class(token.trim_matches('?').trim().to_owned()),
        _ => Node::Rule(token.to_owned()),
    }
}
