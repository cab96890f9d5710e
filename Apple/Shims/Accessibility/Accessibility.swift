/// The notifications to VoiceOver outside the order of the screen.
public enum AccessibilityNotification {
    /// The receiver of announcements; set and called on the main actor alone, by the simulated screen reader, and only
    /// while its work runs.
    public nonisolated(unsafe) static var shimListener: (String) -> Void = { _ in }

    public struct Announcement {
        let text: String
        public init(_ announcement: String) { text = announcement }
        public func post() { AccessibilityNotification.shimListener(text) }
    }
}
