/// A place that stores a sealing key, such as a key file or a secret service.
public protocol SealingKeySource: Sendable {
    /// The name under which a sealed file records the source. It never changes and is not secret.
    var name: String { get }
    /// Returns the stored key; `nil` if there is none.
    ///
    /// - Throws: The problem if the source cannot tell, usually ``StoreProblem/sealingKey(_:source:)``.
    func key() async throws(StoreProblem) -> SealingKey?
    /// Creates a key and stores it durably. If another process has done so concurrently, returns that process's key, so
    /// that all use one key.
    ///
    /// A ``FileSessionStore`` calls it only after ``key()`` has returned `nil`, while it holds the lock on its file.
    ///
    /// - Throws: The problem if no key can be stored, usually ``StoreProblem/sealingKey(_:source:)``.
    func makeKey() async throws(StoreProblem) -> SealingKey
}

/// The choice of keys that seal an app's stored sessions.
public struct SealingKeys: Sendable {
    /// Returns the sources for a store's directory and the name of its file.
    let sources: @Sendable (_ directory: String, _ file: String) -> SealingKeySources

    /// Selects the key in the environment variable `OSTIARY_SESSION_KEY`, 32 bytes in base64, if that is set. Otherwise
    /// a new file is sealed with a key in the desktop's secret service, on Linux if there is one and it accepts the
    /// key, else with a key in a file beside the store. An existing file stays with the source that sealed it, and
    /// cannot be read while that source returns no key.
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

    /// Selects the key in the file `sealing-key` of a directory, which need not be the store's. The file is created
    /// when it is needed.
    public static func keyFile(directory: String) -> SealingKeys { .from(KeyFile(directory: directory)) }

    /// Selects the key of one source, without a fallback.
    public static func from(_ source: any SealingKeySource) -> SealingKeys {
        SealingKeys { _, _ in SealingKeySources(chosen: source, others: []) }
    }
}

struct SealingKeySources: Sendable {
    /// The source that seals every write, also over a file of another source; `nil` to stay with the source that sealed
    /// the file.
    let chosen: (any SealingKeySource)?
    /// The sources that may have sealed an existing file. The first that has or creates a key seals a new one.
    let others: [any SealingKeySource]

    subscript(name: String) -> (any SealingKeySource)? {
        if let chosen, chosen.name == name { return chosen }
        return others.first { $0.name == name }
    }
}
