/// What VoiceOver is told outside the order of the screen.
public enum AccessibilityNotification {
    /// Where announcements go; set and called on the main actor alone, by whoever plays the
    /// screen reader, and only for the time that its work runs.
    public nonisolated(unsafe) static var shimListener: (String) -> Void = { _ in }

    public struct Announcement {
        let text: String
        public init(_ announcement: String) { text = announcement }
        public func post() { AccessibilityNotification.shimListener(text) }
    }
}
