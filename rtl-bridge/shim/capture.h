// SPDX-License-Identifier: Apache-2.0 OR MIT
// Forced in front of the simulator's runtime sources: what the design prints ($display, the text of
// $error and of failed assertions) is collected instead of going to the process's standard output.
#pragma once

#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
int sb2sb_capture_printf(const char* format, ...);

#define VL_PRINTF sb2sb_capture_printf
