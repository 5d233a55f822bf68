// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The parts of the build script that can go wrong quietly: the mutants' table, the instrumented copy, and
//! what is read from Verilator's output.

#[path = "../build/instrument.rs"]
mod instrument;
#[path = "../build/mutant_table.rs"]
mod mutant_table;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use instrument::instrument;
use mutant_table::Row;

fn parse(text: &str) -> Result<Vec<Row>, String> {
    mutant_table::parse(&[("t", text)])
}

fn row(id: u16, original: &str, faulty: &str) -> Row {
    Row {
        id,
        name: format!("row_{id}"),
        file: "a.sv".to_owned(),
        original: original.to_owned(),
        faulty: faulty.to_owned(),
        predicate: Some(0),
        block: None,
        imitates: "a slip".to_owned(),
    }
}

fn one_file(text: &str, rows: &[Row]) -> Result<String, String> {
    let tree = BTreeMap::from([("a.sv".to_owned(), text.to_owned())]);
    Ok(instrument(&tree, rows)?
        .remove("a.sv")
        .expect("the file is in the copy"))
}

#[test]
fn a_mutated_expression_becomes_a_choice_and_the_module_gets_the_port() {
    let source =
        "module a (input logic x_i, output logic y_o);\n  assign y_o = x_i && 1'b1;\nendmodule\n";
    let copy = one_file(source, &[row(1, "x_i && 1'b1", "!x_i")]).unwrap();
    assert_eq!(
        copy,
        "module a (input logic [15:0] mutant_sel_i, input logic x_i, output logic y_o);\n  \
         assign y_o = ((mutant_sel_i == 16'd1) ? (!x_i) : (x_i && 1'b1));\nendmodule\n"
    );
}

#[test]
fn rows_with_one_original_nest_in_the_order_of_their_ids() {
    let source = "module a (input logic x_i, output logic y_o);\n  assign y_o = ~x_i;\nendmodule\n";
    let copy = one_file(source, &[row(1, "~x_i", "x_i"), row(2, "~x_i", "1'b0")]).unwrap();
    let choice = "((mutant_sel_i == 16'd1) ? (x_i) : ((mutant_sel_i == 16'd2) ? (1'b0) : (~x_i)))";
    assert!(copy.contains(&format!("assign y_o = {choice};")), "{copy}");
}

#[test]
fn instances_of_modules_of_the_tree_pass_the_choice_on() {
    let source = "\
module leaf #(parameter int W = f(1, 2)) (
  input logic [W-1:0] x_i
);
endmodule : leaf
module bare;
endmodule
module empty ();
endmodule
module a (input logic x_i);
  // leaf commented (.x_i(x_i));
  leaf #(.W((3))) i_leaf (.x_i({x_i, x_i, x_i}));
  leaf i_array [1:0] (.x_i(x_i)), i_second (.x_i(x_i));
  bare i_bare ();
  foreign i_foreign (.x_i(x_i));
  initial $display(\"leaf i_text (.x_i(x_i)); // \\\" leaf\");
  if (1) begin : gen_leaf
    leaf i_inner (.x_i(x_i));
  end
endmodule
";
    let copy = one_file(source, &[]).unwrap();
    assert_eq!(
        copy,
        "\
module leaf #(parameter int W = f(1, 2)) (input logic [15:0] mutant_sel_i, 
  input logic [W-1:0] x_i
);
endmodule : leaf
module bare (input logic [15:0] mutant_sel_i);
endmodule
module empty (input logic [15:0] mutant_sel_i);
endmodule
module a (input logic [15:0] mutant_sel_i, input logic x_i);
  // leaf commented (.x_i(x_i));
  leaf #(.W((3))) i_leaf (.mutant_sel_i(mutant_sel_i), .x_i({x_i, x_i, x_i}));
  leaf i_array [1:0] (.mutant_sel_i(mutant_sel_i), .x_i(x_i)), i_second (.mutant_sel_i(mutant_sel_i), .x_i(x_i));
  bare i_bare (.mutant_sel_i(mutant_sel_i));
  foreign i_foreign (.x_i(x_i));
  initial $display(\"leaf i_text (.x_i(x_i)); // \\\" leaf\");
  if (1) begin : gen_leaf
    leaf i_inner (.mutant_sel_i(mutant_sel_i), .x_i(x_i));
  end
endmodule
"
    );
}

#[test]
fn packages_and_includes_stay_as_they_are() {
    let tree = BTreeMap::from([
        (
            "pool_pkg.sv".to_owned(),
            "package pool_pkg;\nendpackage\n".to_owned(),
        ),
        ("t.svh".to_owned(), "typedef logic [3:0] t;\n".to_owned()),
    ]);
    assert_eq!(instrument(&tree, &[]).unwrap(), tree);
}

#[test]
fn a_row_that_cannot_be_done_is_refused_with_its_name() {
    let source = "\
module a (input logic x_i, output logic y_o);
  // only_here
  assign y_o = x_i ^ x_i ^ (x_i & 1'b1);
endmodule
package p;
  localparam logic C = 1'b0;
endpackage
";
    let refused = |rows: &[Row]| one_file(source, rows).unwrap_err();
    let mut elsewhere = row(1, "x_i", "y");
    elsewhere.file = "b.sv".to_owned();
    assert_eq!(
        refused(&[elsewhere]),
        "mutant 1 `row_1`: there is no file b.sv"
    );
    assert_eq!(
        refused(&[row(1, "z_i", "y")]),
        "a.sv: mutant 1 `row_1`: `z_i` does not occur"
    );
    assert_eq!(
        refused(&[row(1, "only_here", "y")]),
        "a.sv: mutant 1 `row_1`: `only_here` does not occur"
    );
    assert_eq!(
        refused(&[row(1, "^ x_i", "y"), row(2, "x_i", "y")]),
        "a.sv: mutant 2 `row_2`: `x_i` occurs 4 times, expected once"
    );
    assert!(refused(&[row(1, "C = 1'b0", "y")]).contains("line 6 is not in a module's body"));
    let overlap = refused(&[row(1, "(x_i & 1'b1)", "y"), row(2, "& 1'b1", "y")]);
    assert_eq!(
        overlap,
        "a.sv: line 3: two mutated expressions overlap without being equal"
    );
}

#[test]
fn modules_that_the_instrumentation_does_not_understand_are_refused() {
    let refused = |text: &str| one_file(text, &[]).unwrap_err();
    assert!(refused("module a (x_i);\ninput x_i;\nendmodule").contains("expected a direction"));
    assert!(
        refused(
            "module b (input x_i);\nendmodule\nmodule a (input x_i);\n  b i_b (x_i);\nendmodule"
        )
        .contains("line 4: instance of `b` is not connected by port names")
    );
    assert!(refused("module a (input logic x_i").contains("bracket is not closed"));
    assert!(refused("module a (input logic x_i);\n").contains("module without endmodule"));
}

fn table(entries: &[(u16, &str)]) -> String {
    let mut text = String::new();
    for (id, name) in entries {
        text.push_str("[[mutant]]\n");
        write!(
            text,
            "id = {id}\nname = \"{name}\"\nfile = \"f\"\noriginal = \"o\"\n\
             faulty = \"x\"\npredicate = 11\nimitates = \"i\"\n"
        )
        .expect("writing to a string cannot fail");
    }
    text
}

#[test]
fn the_table_is_dense_and_its_names_are_unique() {
    let rows = parse(&table(&[(1, "one"), (2, "two")])).unwrap();
    assert_eq!(rows.iter().map(|row| row.id).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(parse("").unwrap(), []);
    let refused = |entries: &[(u16, &str)]| parse(&table(entries)).unwrap_err();
    assert!(refused(&[(1, "one"), (3, "three")]).contains("`three` has id 3, expected 2"));
    assert!(refused(&[(0, "zero")]).contains("`zero` has id 0, expected 1"));
    assert_eq!(
        refused(&[(1, "one"), (2, "one")]),
        "t: mutants 1 and 2 are both named `one`"
    );
    assert!(refused(&[(1, "One")]).contains("not snake_case"));
}

#[test]
fn a_second_table_goes_on_where_the_first_ends() {
    let (first, second) = (table(&[(1, "one"), (2, "two")]), table(&[(3, "three")]));
    let rows = mutant_table::parse(&[("first", &first), ("second", &second)]).unwrap();
    assert_eq!(rows.iter().map(|row| row.id).collect::<Vec<_>>(), [1, 2, 3]);
    let refused = mutant_table::parse(&[("first", &first), ("second", &first)]).unwrap_err();
    assert_eq!(
        refused,
        "second: mutant `one` has id 1, expected 3: ids count from 1 without gaps, in file order"
    );
}

#[test]
fn a_row_lacks_nothing_and_has_nothing_else() {
    let text = table(&[(1, "one")]);
    assert!(
        parse(&text.replace("original = \"o\"", "original = \" \""))
            .unwrap_err()
            .contains("`original` is empty")
    );
    assert!(
        parse(&text.replace("faulty = \"x\"", "faulty = \"o\""))
            .unwrap_err()
            .contains("equals `original`")
    );
    assert!(
        parse(&text.replace("predicate = 11", "predicate = 12"))
            .unwrap_err()
            .contains("`predicate` is 12, expected 0 to 11")
    );
    for one_of_two in [
        text.replace("predicate = 11\n", ""),
        text.replace("predicate = 11\n", "predicate = 11\nblock = \"b\"\n"),
    ] {
        assert!(
            parse(&one_of_two)
                .unwrap_err()
                .contains("expected one of `predicate` and `block`")
        );
    }
    let block = parse(&text.replace("predicate = 11", "block = \"b\"")).unwrap();
    assert_eq!(
        (block[0].predicate, block[0].block.as_deref()),
        (None, Some("b"))
    );
    assert!(
        parse(&text.replace("imitates = \"i\"\n", ""))
            .unwrap_err()
            .contains("imitates")
    );
    assert!(
        parse(&format!("{text}colour = \"red\"\n"))
            .unwrap_err()
            .contains("colour")
    );
}
