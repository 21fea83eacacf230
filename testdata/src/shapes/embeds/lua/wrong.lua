--- @include "includes/missing"
local v = redis.call('GET', KEYS[1])
if v == nil then return missing(v) end -- want nil-reply@4
return v
