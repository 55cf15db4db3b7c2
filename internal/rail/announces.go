package rail

// Announces tells that messages may wait until their receivers have announced themselves: devices write into peers' memory, or
// packets carry what they cannot write.
func (l *Link) Announces() {}
