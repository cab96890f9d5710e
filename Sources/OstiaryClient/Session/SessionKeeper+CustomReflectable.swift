// Excluded from dumps: its state changes while a mirror reads it.
extension SessionKeeper: CustomReflectable {
    nonisolated var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}
