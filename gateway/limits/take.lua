-- Decides on one request of an account, on rate and quota in one step: a rejected request uses neither. Counts it by its
-- outcome.
--
-- KEYS  1  moments of its last accepted requests, oldest first; whole microseconds of this Redis's clock
--       2  its usage of the month: the requests that count against the quota as `used`, and the requests with each key on
--          each day by outcome, as `YYYY-MM-DD OUTCOME KEY`
-- ARGV  1  requests in any second   2  requests in the month   3  the day, YYYY-MM-DD
--       4  used in the month, as far as who asks has seen
--       5  seconds for which a month is kept
--       6  the id of the key
--
-- Returns 1 accepted or 0 rejected; used in the month; accepted in the last second; and microseconds until the one of
-- those leaves it that a next request waits for.

local second = 1000000
local time = redis.call('TIME')
local now = time[1] * second + time[2]

local perSecond, perMonth = tonumber(ARGV[1]), tonumber(ARGV[2])

-- tostring has 14 digits, and a moment 16.
local function remember(moment)
  redis.call('RPUSH', KEYS[1], string.format('%.0f', moment))
end

-- The clock was set back: what lies ahead of it counts as accepted just now, so that it is out of the way in a second.
local last = redis.call('LINDEX', KEYS[1], -1)
if last and tonumber(last) > now then
  local moments = redis.call('LRANGE', KEYS[1], 0, -1)
  redis.call('DEL', KEYS[1])
  for _, moment in ipairs(moments) do remember(math.min(tonumber(moment), now)) end
  redis.call('EXPIRE', KEYS[1], 2)
end

local first = redis.call('LINDEX', KEYS[1], 0)
while first and tonumber(first) <= now - second do
  redis.call('LPOP', KEYS[1])
  first = redis.call('LINDEX', KEYS[1], 0)
end
local taken = redis.call('LLEN', KEYS[1])

-- A Redis that has lost counts is brought back by those who have seen them.
local used = tonumber(redis.call('HGET', KEYS[2], 'used') or 0)
if used < tonumber(ARGV[4]) then
  used = tonumber(ARGV[4])
  redis.call('HSET', KEYS[2], 'used', ARGV[4])
  redis.call('EXPIRE', KEYS[2], ARGV[5])
end

local accepted = taken < perSecond and used < perMonth
local outcome = accepted and 'used' or used < perMonth and 'rejectedByRate' or 'rejectedByQuota'
if redis.call('HINCRBY', KEYS[2], ARGV[3] .. ' ' .. outcome .. ' ' .. ARGV[6], 1) == 1 then
  redis.call('EXPIRE', KEYS[2], ARGV[5])
end
if accepted then
  remember(now)
  redis.call('EXPIRE', KEYS[1], 2)
  taken = taken + 1
  used = redis.call('HINCRBY', KEYS[2], 'used', 1)
end

local leaving = redis.call('LINDEX', KEYS[1], math.max(0, taken - perSecond))
local leavesIn = leaving and tonumber(leaving) + second - now or 0
return { accepted and 1 or 0, used, taken, leavesIn }
