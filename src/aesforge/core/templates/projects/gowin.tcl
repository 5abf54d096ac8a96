# {{command}}
#
# Gowin: gw_sh projects/gowin.tcl
# Synthesizes {{top}} without I/O buffers: it has no pins of a package.

set root [file dirname [file dirname [file normalize [info script]]]]

file mkdir $root/build
create_project -name {{top}} -dir $root/build -pn GW2A-LV18PG256C8/I7 -device_version C -force
foreach source {
{{sources}}
} {
  add_file -type verilog $root/$source
}
add_file -type sdc $root/constraints/{{top}}.sdc
set_option -top_module {{top}}
set_option -verilog_std sysv2017
set_option -disable_io_insertion 1
run syn
