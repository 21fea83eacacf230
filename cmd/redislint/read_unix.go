//go:build linux || darwin || freebsd || openbsd || netbsd

package main

import "syscall"

// firstRoom is room for most scripts.
const firstRoom = 1 << 15

// plain reads a file that is no symbolic link and not too large; ok is false where anything is in the way, and readLua says what. An os.File
// takes twice as many system calls, to find out that a file need not be waited for.
func (r *reader) plain(name string) (text string, ok bool) {
	fd, err := syscall.Open(name, syscall.O_RDONLY|syscall.O_CLOEXEC|syscall.O_NOFOLLOW, 0)
	if err != nil {
		return "", false
	}
	defer syscall.Close(fd)
	if r.room == nil {
		r.room = make([]byte, firstRoom)
	}
	for n := 0; n <= maxLuaFile; {
		if n == len(r.room) {
			r.room = append(r.room, make([]byte, n)...)
		}
		switch got, err := syscall.Read(fd, r.room[n:]); {
		case err == syscall.EINTR:
		case err != nil:
			return "", false
		case got == 0:
			return string(r.room[:n]), true
		default:
			n += got
		}
	}
	return "", false
}
