/// The scenes that show an app's sign-in, and their foreground state.
struct SceneActivity: Hashable, Sendable {
    private var isForeground: [String: Bool] = [:]

    /// `true` while there is at least one known scene and none of them is in the foreground.
    var isInBackground: Bool { !isEmpty && !isForeground.values.contains(true) }

    var isEmpty: Bool { isForeground.isEmpty }

    mutating func willEnterForeground(_ scene: String) { isForeground[scene] = true }

    /// Marks a scene as in the background. Ignores a scene that was never in the foreground: the phase of a hosting
    /// controller in an app with UIKit's life cycle is always `.background`.
    mutating func didEnterBackground(_ scene: String) {
        if isForeground[scene] != nil { isForeground[scene] = false }
    }

    mutating func disconnect(_ scene: String) { isForeground[scene] = nil }
}
