#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
extension AuthViewModel {
    /// Returns `true` while a step towards a session is under way.
    var isEntering: Bool { running.keys.contains(where: \.isEntering) }
}
#endif
