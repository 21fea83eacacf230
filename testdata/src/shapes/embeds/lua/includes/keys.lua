local function first(k) return k[1] end
