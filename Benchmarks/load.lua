-- The requests that wrk sends, and the summary that it prints at the end:
--   wrk -s load.lua URL -- bearer FILE [PAUSE]   GETs with the access tokens in FILE, one a line, in turn
--   wrk -s load.lua URL -- sign-in FILE          POSTs of the bodies in FILE, one a line, in turn
--   wrk -s load.lua URL -- refresh FILE FIELD    rotations: each thread has its lines of FILE, and uses them in turn
-- PAUSE is in milliseconds, before each request. The newest tokens are written back to FILE.

local threads = {}

function setup(thread)
  table.insert(threads, thread)
  thread:set("number", #threads)
end

-- Every nth line of a file, beginning with one.
local function lines(name, first, step)
  local found, count = {}, 0
  for line in io.lines(name) do
    if count % (step or 1) == (first or 1) - 1 then table.insert(found, line) end
    count = count + 1
  end
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

function modes.bearer(pause)
  local requests = {}
  for _, token in ipairs(lines(file)) do
    table.insert(requests, wrk.format("GET", nil, { Authorization = "Bearer " .. token }))
  end
  request = inTurn(requests)
  if pause then
    function delay() return tonumber(pause) end
  end
end

modes["sign-in"] = function()
  local requests = {}
  for _, body in ipairs(lines(file)) do
    table.insert(requests, wrk.format("POST", nil, { ["Content-Type"] = "application/json" }, body))
  end
  request = inTurn(requests)
end

-- A thread has one connection, so that an answer belongs to its last request.
function modes.refresh(field, count)
  tokens = lines(file, number, tonumber(count))
  local current = 0
  local pattern = '"' .. field .. '":"([^"]+)"'
  local headers = { ["Content-Type"] = "application/json" }
  function request()
    current = current % #tokens + 1
    return wrk.format("POST", nil, headers, '{"' .. field .. '":"' .. tokens[current] .. '"}')
  end
  function response(status, _, body)
    if status == 200 then tokens[current] = body:match(pattern) end
  end
end

function init(arguments)
  file = arguments[2]
  modes[arguments[1]](arguments[3], arguments[4])
end

function done(summary, latency)
  if threads[1]:get("tokens") then
    local newest = {}
    for _, thread in ipairs(threads) do table.insert(newest, thread:get("tokens")) end
    local output = io.open(threads[1]:get("file"), "w")
    for line = 1, #newest[1] do
      for _, tokens in ipairs(newest) do
        if tokens[line] then output:write(tokens[line], "\n") end
      end
    end
    output:close()
  end
  local errors = summary.errors
  print(string.format(
    'RESULT {"requests": %d, "seconds": %f, "p50": %f, "p99": %f, "refused": %d, "failed": %d}',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
    errors.status, errors.connect + errors.read + errors.write + errors.timeout))
end
