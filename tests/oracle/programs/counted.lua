-- Runs as much of Lua's interpreter and libraries as fits here, each a few times.
local out = {}
local function say(...)
  local words = table.pack(...)
  for i = 1, words.n do words[i] = tostring(words[i]) end
  out[#out + 1] = table.concat(words, " ")
end

for i = 1, 12 do
  say(string.format("%5.2f|%-8s|%x|%q|%c|%i|%a", i / 3, "a" .. i, i * 77, "q\n" .. i, 64 + i, i, i))
end
say(("hello world"):gsub("o", "0"), ("key = value"):match("(%w+)%s*=%s*(%w+)"))
say(("one;two;;four"):gsub("%f[%w]%w+", {one = "1", two = "2"}), ("x"):rep(9, ","))
for k, v in ("a=1, b=2, c=3"):gmatch("(%w+)=(%w+)") do say(k, v) end
say(("abc"):byte(1, -1), ("abc"):upper(), ("ABC"):lower(), ("abc"):reverse(), #("abc"):sub(2))
say(("%bxy"):find("%", 1, true), ("(a(b)c)"):match("%b()"), ("aaa"):find("a-", 2), ("  t "):match("^%s*(.-)%s*$"))
say(string.pack("<i4z", 7, "z"):byte(1, -1), string.unpack("<i4", "\1\2\3\4"), string.packsize("i8d"))
say(utf8.char(228, 8364, 128512), utf8.len("äöü"), utf8.codepoint("ä", 1), utf8.offset("äöü", 2))
for _, c in utf8.codes("aä€") do say(c) end

local t = {}
for i = 1, 60 do t[i] = (i * 7919) % 101 end
table.sort(t)
table.sort(t, function(a, b) return a > b end)
table.insert(t, 3, 1)
table.remove(t, 1)
table.move(t, 1, 5, 20)
say(table.concat(t, ",", 1, 20), select("#", table.unpack(t, 1, 5)), #table.pack(1, nil, 3))
for k in pairs({a = 1, b = 2, 3, 4}) do say(tostring(k)) end
local h = {}
for i = 1, 200 do h["k" .. i % 50], h[i * 1.5], h[-i] = i, i, i end
for k in next, h do if type(k) == "string" then h[k] = nil end end

local class = {}
class.__index = class
class.__add = function(a, b) return setmetatable({v = a.v + b.v}, class) end
class.__eq = function(a, b) return a.v == b.v end
class.__lt = function(a, b) return a.v < b.v end
class.__le = function(a, b) return a.v <= b.v end
class.__call = function(self, x) return self.v + x end
class.__concat = function(a) return tostring(a) end
class.__len = function(self) return self.v end
class.__unm = function(self) return self end
class.__tostring = function(self) return "v" .. self.v end
class.__newindex = function(self, k, v) rawset(self, k, v) end
class.__gc = function() end
class.__close = function() end
local a, b = setmetatable({v = 1}, class), setmetatable({v = 2}, class)
say(tostring(a + b), tostring(a == b), tostring(a < b), tostring(a <= b), a(5), a .. "x", #a, tostring(-a))
a.extra = 4
do
  local closed <close> = setmetatable({v = 9}, class)
  local fixed <const> = 5
  say(fixed)
end

local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end
say(fib(11))
local function tail(n) if n == 0 then return "done" end return tail(n - 1) end
say(tail(50))
local function varied(...) local x, y = ... return select(-1, ...), x, y end
say(varied(1, 2, 3))

local co = coroutine.wrap(function(x) for i = 1, 5 do x = coroutine.yield(x + i) end return "end" end)
for i = 1, 6 do say(co(i)) end
local other = coroutine.create(function() error({code = 1}) end)
say(tostring(coroutine.resume(other)), coroutine.status(other), tostring(coroutine.isyieldable()))
coroutine.close(coroutine.create(print))
say(tostring(pcall(error, "message")), tostring(xpcall(function() local n = nil; return n.x end, debug.traceback)))
say(tostring(pcall(string.rep, "x", -1)), tostring(pcall(string.format, "%d", "x")), tostring(pcall(fib, {})))

local chunk = [[
  local s, n = 0, ...
  goto start
  ::again:: s = s + 1
  ::start:: if s < n then goto again end
  for i = 10, 1, -3 do s = s + i // 2 - i % 3 ~ 1 end
  for x = 1.0, 2.0, 0.25 do s = s + x ^ 2 end
  repeat s = s - 1 until s < 100 or not s
  while s > 50 do s = s / 2; if s < 60 then break end end
  local function inner(a, ...) return (a and ... or s) << 1 >> 1 | 1 & 7 end
  local u = {1, 2, x = 3, ["y"] = {4}, inner(1, 2)}
  u.x, u.y[1] = u.y[1], -u.x
  return s, u.x == 4 and ~5 or "no", "long" .. s .. 'str\65\x41\u{48}\z
     ing', 0x1p4, 3e2, [=[raw]=], #u
]]
local loaded = assert(load(chunk, "chunk"))
say(pcall(loaded, 10))
say(pcall(load(string.dump(loaded, true), "dumped", "b"), 3))
for _, wrong in ipairs({"x =", "goto nowhere", "for", "local x <what> = 1", "'open", "break", "a.b:c = 1"}) do
  say(tostring(select(2, load(wrong))))
end

say(math.max(1, 5, 3), math.min(2, 1), math.floor(3.7), math.ceil(3.2), math.tointeger(3.0), math.fmod(7, 3))
say(math.sqrt(2), math.sin(1), math.abs(-3), math.type(1), math.ult(1, -1), math.modf(3.5), math.log(8, 2))
math.randomseed(42)
say(math.random(10) <= 10, math.random() < 1)
say(tonumber("0x1F"), tonumber("z", 36), tonumber("1e1"), tostring(tonumber("no")), 7 // 2, 7.5 // 2, -7 % 3, 2 ^ 10)
say(1 < 1.5, "a" < "b", 1 == 1.0, "10" + 5, 10 .. "", 3 | 4, "3" | 0, ~0, 1 << 62, 5 // 0.0)

local name = os.tmpname()
local file = assert(io.open(name, "w"))
file:write("line 1\n", 2, "\nthird\n")
file:setvbuf("full")
file:seek("set", 0)
file:close()
for line in io.lines(name) do say(line) end
file = io.open(name)
say(file:read("l", "n", "L", "a"), io.type(file), tostring(file))
file:close()
os.remove(name)
say(tostring(os.time({year = 2020, month = 1, day = 1})), os.date("!%Y", 0), tostring(os.getenv("NO")), type(os.clock()))

say(debug.getinfo(1, "Slnt").currentline, debug.getinfo(fib).nparams, tostring(debug.getlocal(1, 1)))
debug.sethook(function() end, "crl", 10)
fib(4)
debug.sethook()
say(debug.upvalueid(tail, 1) ~= nil, debug.getupvalue(tail, 1), debug.getmetatable(a) == class)
package.preload.made = function() return {ok = true} end
say(require("made").ok, tostring(pcall(require, "missing")))

local weak = setmetatable({}, {__mode = "k"})
for i = 1, 40 do weak[{}] = {i}; weak[{i}] = setmetatable({v = i}, class) end
collectgarbage()
collectgarbage("generational")
for i = 1, 40 do weak[{}] = tostring(i):rep(3) end
collectgarbage("step")
collectgarbage("incremental")
collectgarbage("step", 10)
collectgarbage()
for i, v in ipairs(out) do out[i] = tostring(v) end
print(#table.concat(out, "\n"))
