/// Where a key for sealing is kept.
public protocol SealingKeySource: Sendable {
    /// What a sealed file remembers the source by. It never changes, and is not secret.
    var name: String { get }
    /// The key that is there; nil if there is none.
    ///
    /// - Throws: The problem if nobody can tell.
    func key() async throws(StoreProblem) -> SealingKey?
    /// Makes a key and keeps it, durably. Where another process did so meanwhile, its key is returned: all end with one.
    ///
    /// The store calls it only when ``key()`` found none, while it keeps other processes from the same file.
    func makeKey() async throws(StoreProblem) -> SealingKey
}

/// Which keys seal an app's stored sessions.
public struct SealingKeys: Sendable {
    /// For a store's directory, and its file in it.
    let sources: @Sendable (_ directory: String, _ file: String) -> SealingKeySources

    /// The key in the environment variable `OSTIARY_SESSION_KEY`, 32 bytes in base64, if that is set. Otherwise, for what is
    /// new: one that the desktop's secret service keeps, where there is one and it agrees, else one in a file beside the
    /// store. What is stored already stays with the source that sealed it, and cannot be read while that gives no key.
    public static func automatic(environment: [String: String]) -> SealingKeys {
        SealingKeys { directory, file in
            var others: [any SealingKeySource] = []
            #if os(Linux)
            others.append(SecretServiceKey(for: "\(directory)/\(file)", environment: environment))
            #endif
            others.append(KeyFile(directory: directory))
            return SealingKeySources(chosen: EnvironmentKey(environment), others: others)
        }
    }

    /// The key in the file `sealing-key` of that directory, which need not be the store's. Made when it is needed.
    public static func keyFile(directory: String) -> SealingKeys { .from(KeyFile(directory: directory)) }

    /// The key of that source and of no other.
    public static func from(_ source: any SealingKeySource) -> SealingKeys {
        SealingKeys { _, _ in SealingKeySources(chosen: source, others: []) }
    }
}

struct SealingKeySources: Sendable {
    /// Seals all that is written, whatever sealed it before; nil to stay with the source that did.
    let chosen: (any SealingKeySource)?
    /// May have sealed what is there. The first that has or makes a key seals what is new.
    let others: [any SealingKeySource]

    subscript(name: String) -> (any SealingKeySource)? {
        if let chosen, chosen.name == name { return chosen }
        return others.first { $0.name == name }
    }
}
