package server

import "strings"

// slots is the number of hash slots of a cluster.
const slots = 16384

// HashTag is the part of a key that decides its slot: what stands between the first { and the first } behind it. ok is false where there
// is no such pair or nothing in it: then the whole key decides.
func HashTag(key string) (tag string, ok bool) {
	_, rest, found := strings.Cut(key, "{")
	if !found {
		return "", false
	}
	tag, _, found = strings.Cut(rest, "}")
	if !found || tag == "" {
		return "", false
	}
	return tag, true
}

// Slot is the cluster slot of a key, 0 to 16383: CRC16 (XMODEM) of the hash tag or of the key.
func Slot(key string) int {
	if tag, ok := HashTag(key); ok {
		key = tag
	}
	var crc uint16
	for i := range len(key) {
		crc ^= uint16(key[i]) << 8
		for range 8 {
			if crc&0x8000 != 0 {
				crc = crc<<1 ^ 0x1021
			} else {
				crc <<= 1
			}
		}
	}
	return int(crc) % slots
}
