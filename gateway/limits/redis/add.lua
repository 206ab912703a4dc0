-- Adds what was counted elsewhere for an account on a day. What comes again under the same mark is not counted again.
--
-- KEYS  1  the mark   2  what the account has used in the month: `used`, and each day by itself
-- ARGV  1  the day, YYYY-MM-DD   2  requests
--       3  used in the month, as far as who asks has seen
--       4  seconds for which the mark is kept   5  seconds for which a month is kept
--
-- Returns what is used in the month then.

local used = tonumber(redis.call('HGET', KEYS[2], 'used') or 0)
if used < tonumber(ARGV[3]) then
  used = tonumber(ARGV[3])
  redis.call('HSET', KEYS[2], 'used', ARGV[3])
end
if redis.call('SET', KEYS[1], '', 'NX', 'EX', ARGV[4]) then
  redis.call('HINCRBY', KEYS[2], ARGV[1], ARGV[2])
  used = redis.call('HINCRBY', KEYS[2], 'used', ARGV[2])
end
redis.call('EXPIRE', KEYS[2], ARGV[5])
return used
