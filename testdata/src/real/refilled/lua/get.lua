return redis.call('GET', $KEY)
