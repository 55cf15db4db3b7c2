// Package stall says in words why a job hangs: what its ranks wait for, who keeps whom waiting, and which messages
// nobody asks for. It knows what ranks have told, and neither who asked them nor how.
package stall
