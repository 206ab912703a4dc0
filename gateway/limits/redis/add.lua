-- Adds the requests with a key of an account on a day that were counted elsewhere. Requests that arrive again under the same
-- mark are not counted again.
--
-- KEYS  1  the mark   2  the account's usage of the month, as in take.lua
-- ARGV  1  requests that count against the quota
--       2  used in the month, as far as who asks has seen
--       3  seconds for which the mark is kept   4  seconds for which a month is kept
--       5  a field of the month   6  requests to add to it   and so on
--
-- Returns what is used in the month then.

local used = tonumber(redis.call('HGET', KEYS[2], 'used') or 0)
if used < tonumber(ARGV[2]) then
  used = tonumber(ARGV[2])
  redis.call('HSET', KEYS[2], 'used', ARGV[2])
end
if redis.call('SET', KEYS[1], '', 'NX', 'EX', ARGV[3]) then
  for index = 5, #ARGV, 2 do redis.call('HINCRBY', KEYS[2], ARGV[index], ARGV[index + 1]) end
  used = redis.call('HINCRBY', KEYS[2], 'used', ARGV[1])
end
redis.call('EXPIRE', KEYS[2], ARGV[4])
return used
