--- @include "includes/keys"
return first(KEYS)
