import Foundation

/// A value that the store keeps sealed, with its place.
public struct SealedValue: Hashable, Sendable {
    /// The kind of the value.
    public var kind: Kind
    /// The place of the value among those of its kind.
    public var position: Position
    /// The names that the value is bound to. A hash in the position is one more.
    public var names: [String]
    /// The nonce, the ciphertext and the tag.
    public var bytes: [UInt8]

    /// Creates a value from its parts.
    public init(_ kind: Kind, at position: Position, names: [String], bytes: [UInt8]) {
        self.kind = kind
        self.position = position
        self.names = names
        self.bytes = bytes
    }

    /// The kinds of sealed values that outlive a request.
    public enum Kind: String, CaseIterable, Codable, Sendable {
        /// The keys that the store itself has.
        case storeKey = "store_key"
        /// The private parts of signing keys.
        case signingKey = "signing_key"
        /// The secrets that sign events.
        case endpointSecret = "event_endpoint"
        /// The secrets that signed events before their rotation.
        case previousEndpointSecret = "event_endpoint_previous"
        /// The secrets of authenticator apps.
        case factor
        /// The records by which changes of factors can be undone.
        case factorUndo = "factor_undo"
        /// The records of links that deny a sign-in.
        case signInDenial = "sign_in_denial"
        /// The histories of sign-ins.
        case signInHistory = "sign_in_history"
        /// The tokens of external credential providers, and the grants of clients.
        case sessionAttachment = "session_attachment"
        /// The queued messages.
        case message
        /// The messages that failed and can be sent again.
        case failedMessage = "message_record"
        /// The answers of requests that may be repeated.
        case answer = "idempotent_request"

        /// The purpose of the key that seals the kind.
        public var purpose: KeyRing.Purpose {
            switch self {
            case .storeKey: .storeKeys
            case .signingKey: .signingKeys
            case .endpointSecret, .previousEndpointSecret: .eventEndpoints
            case .factor, .factorUndo: .factors
            case .signInDenial, .signInHistory: .signInHistory
            case .sessionAttachment: .attachments
            case .message, .failedMessage: .outbox
            case .answer: .idempotency
            }
        }

        /// Returns the context that authenticates a value: it does not open in the place of another. Part of what is
        /// stored, so it never changes.
        public func context(_ names: String..., hash: [UInt8]? = nil) -> String { context(names, hash: hash) }

        fileprivate func context(_ names: [String], hash: [UInt8]?) -> String {
            let prefix =
                switch self {
                case .factorUndo: "undo "
                case .signInDenial: "denial "
                default: ""
                }
            return prefix + (names + [hash?.base64URL].compactMap(\.self)).joined(separator: "/")
        }
    }

    /// The context that authenticates this value.
    var context: String { kind.context(names, hash: position.hash) }

    /// The key of a row: texts, then a number, then bytes.
    public struct Position: Codable, Hashable, Sendable {
        /// The texts of the key.
        public var texts: [String]
        /// The number of the row.
        public var number: Int64?
        /// The bytes of the key: a hash.
        public var hash: [UInt8]? { bytes.map { Array($0) } }
        private var bytes: Data?

        /// Creates a position from its parts.
        public init(texts: [String] = [], number: Int64? = nil, hash: [UInt8]? = nil) {
            self.texts = texts
            self.number = number
            bytes = hash.map { Data($0) }
        }
    }
}

extension SealedValue.Position: Comparable {
    /// The order of the keys in a database: texts by their bytes.
    public static func < (one: Self, other: Self) -> Bool {
        for (text, next) in zip(one.texts, other.texts) where !text.utf8.elementsEqual(next.utf8) {
            return text.utf8.lexicographicallyPrecedes(next.utf8)
        }
        if let number = one.number, let next = other.number, number != next { return number < next }
        return (one.hash ?? []).lexicographicallyPrecedes(other.hash ?? [])
    }
}
