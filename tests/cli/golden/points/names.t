# points.s is points.cpp, compiled with -O2 -g: names in scopes, overloads and templates.
$ as --64 -o points.o points.s
$ ld -e _Z8distanceii --defsym=sink=0x500000 -Ttext=0x401000 -o points points.o

# Two functions have this name; each has a heading.
$ inlinecall measure points
/src/points.cpp:20
	[0x401000 - 0x401004]	/src/points.cpp:26:26	_Z8distanceii()
	[0x40100a - 0x401011]	/src/points.cpp:26:26	_Z8distanceii()	same copy, entry 0x40100a
	[0x401011 - 0x401013]	/src/points.cpp:26:26	_Z8distanceii()	same copy
	[0x401019 - 0x401023]	/src/points.cpp:26:26	_Z8distanceii()	same copy
/src/points.cpp:19
	[0x40100a - 0x401011]	/src/points.cpp:20:56	_Z8distanceii()
	[0x401013 - 0x401019]	/src/points.cpp:26:69	_Z8distanceii()	entry 0x401011

# The same two by the qualified name, with names as the source has them.
$ inlinecall -i -C geometry::measure points
/src/points.cpp:20
	[0x401000 - 0x401004]	/src/points.cpp:26:26	distance(int, int)
	[0x40100a - 0x401011]	/src/points.cpp:26:26	distance(int, int)	same copy, entry 0x40100a
	[0x401011 - 0x401013]	/src/points.cpp:26:26	distance(int, int)	same copy
	[0x401019 - 0x401023]	/src/points.cpp:26:26	distance(int, int)	same copy
/src/points.cpp:19
	[0x40100a - 0x401011]	/src/points.cpp:20:56	geometry::measure(geometry::Point const&) < distance(int, int) /src/points.cpp:26:26
	[0x401013 - 0x401019]	/src/points.cpp:26:69	distance(int, int)	entry 0x401011

# One of them, by its parameters, and by its linkage name.
$ inlinecall -s 'geometry::measure(int)' points
points.cpp:19
	[0x40100a - 0x401011]	points.cpp:20:56	_Z8distanceii()
	[0x401013 - 0x401019]	points.cpp:26:69	_Z8distanceii()	entry 0x401011
$ inlinecall -s _ZN8geometry7measureEi points
points.cpp:19
	[0x40100a - 0x401011]	points.cpp:20:56	_Z8distanceii()
	[0x401013 - 0x401019]	points.cpp:26:69	_Z8distanceii()	entry 0x401011

# By a pattern.
$ inlinecall -s -C -g 'geometry::Point::*' points
points.cpp:14
	[0x401000 - 0x401004]	points.cpp:20:56	distance(int, int)	entry 0x40100a
	[0x401011 - 0x401013]	points.cpp:20:56	distance(int, int)	same copy
	[0x401019 - 0x401023]	points.cpp:20:56	distance(int, int)	same copy
points.cpp:13
	[0x401004 - 0x40100a]	points.cpp:26:37	distance(int, int)	entry 0x401000

# The linkage name stays what it is.
$ inlinecall --json -C norm points
{"type":"site","file":"points","function":"geometry::Point::norm() const","linkage_name":"_ZNK8geometry5Point4normEv","decl_file":"/src/points.cpp","decl_line":14,"call_file":"/src/points.cpp","call_line":20,"call_column":56,"ranges":[["0x401000","0x401004"],["0x401011","0x401013"],["0x401019","0x401023"]],"section":null,"entry":"0x40100a","host":"distance(int, int)","symbol":"distance(int, int)","chain":[{"function":"geometry::measure(geometry::Point const&)","call_file":"/src/points.cpp","call_line":26,"call_column":26}],"unit":"points.cpp","die":"0x1da","die_file":null,"entry_symbol":"distance(int, int)","entry_offset":10,"part":false}
