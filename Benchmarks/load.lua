-- What wrk sends, and what it says at the end:
--   wrk -s load.lua URL -- bearer FILE [PAUSE]   GETs with the access tokens in FILE, one a line, in turn
--   wrk -s load.lua URL -- sign-in FILE          POSTs of the bodies in FILE, one a line, in turn
--   wrk -s load.lua URL -- refresh FILE FIELD    each thread a chain of rotations, begun with its line of FILE
-- PAUSE is in milliseconds, before each request. The chains' newest tokens are written back to FILE.

local threads = {}

function setup(thread)
  table.insert(threads, thread)
  thread:set("number", #threads)
end

local function lines(name)
  local found = {}
  for line in io.lines(name) do table.insert(found, line) end
  return found
end

local function inTurn(requests)
  local next = number
  return function()
    next = next % #requests + 1
    return requests[next]
  end
end

local modes = {}

function modes.bearer(tokens, pause)
  local requests = {}
  for _, token in ipairs(tokens) do
    table.insert(requests, wrk.format("GET", nil, { Authorization = "Bearer " .. token }))
  end
  request = inTurn(requests)
  if pause then
    function delay() return tonumber(pause) end
  end
end

modes["sign-in"] = function(bodies)
  local requests = {}
  for _, body in ipairs(bodies) do
    table.insert(requests, wrk.format("POST", nil, { ["Content-Type"] = "application/json" }, body))
  end
  request = inTurn(requests)
end

function modes.refresh(tokens, field)
  token = tokens[number]
  local pattern = '"' .. field .. '":"([^"]+)"'
  local headers = { ["Content-Type"] = "application/json" }
  function request()
    return wrk.format("POST", nil, headers, '{"' .. field .. '":"' .. token .. '"}')
  end
  function response(status, _, body)
    if status == 200 then token = body:match(pattern) end
  end
end

function init(arguments)
  file = arguments[2]
  modes[arguments[1]](lines(file), arguments[3])
end

function done(summary, latency)
  if threads[1]:get("token") then
    local output = io.open(threads[1]:get("file"), "w")
    for _, thread in ipairs(threads) do output:write(thread:get("token"), "\n") end
    output:close()
  end
  local errors = summary.errors
  print(string.format(
    'RESULT {"requests": %d, "seconds": %f, "p50": %f, "p99": %f, "refused": %d, "failed": %d}',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
    errors.status, errors.connect + errors.read + errors.write + errors.timeout))
end
