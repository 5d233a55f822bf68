# SPDX-License-Identifier: Apache-2.0 OR MIT
# Saves the window as a picture and ends:
#   SB2SB_PICTURE=leg.png xvfb-run -a -s "-screen 0 1920x1200x24" gtkwave --dark --rcfile traces/gtkw/gtkwaverc \
#     --script traces/gtkw/picture.tcl traces/out/NAME.gtkw
gtkwave::/File/Grab_To_File $env(SB2SB_PICTURE)
exit
