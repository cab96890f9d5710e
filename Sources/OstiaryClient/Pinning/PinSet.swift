public import Foundation

/// The public keys that an app trusts its server to have.
///
/// A connection is used if any certificate of the chain that was validated has one of these keys: the server's own, an
/// intermediate's or the root's. Pins come on top of the ordinary validation and never replace it.
///
/// **Rotation.** An installed app cannot be told of a new key, so there are at least two pins, one of a key that is not in
/// use yet: make it beforehand and keep it offline, or pin the keys of two authorities. When the server changes to that
/// key, release the app with another one in reserve.
///
/// **Expiry.** Without ``expires``, which is the default, pins are enforced for as long as the app is installed. With it,
/// an app that is no longer updated falls back to the system's judgement on that day instead of being locked out: whoever
/// can set the device's clock forward then gets past the pins, and still needs a certificate that the system trusts.
/// ``AfterExpiry/enforced`` keeps them in force; ``isExpired(at:)`` then says that a new release is overdue.
public struct PinSet: Hashable, Sendable {
    /// What becomes of pins when their day is over.
    public enum AfterExpiry: Hashable, Sendable {
        /// The system's judgement alone decides.
        case systemDecides
        /// They are enforced as before.
        case enforced
    }

    /// Each the base64 of the SHA-256 of a SubjectPublicKeyInfo, without its `sha256/`.
    public let pins: Set<String>
    /// The end of the time for which the pins were made; nil for no end.
    public let expires: Date?
    public let afterExpiry: AfterExpiry

    /// No pins: the system's judgement alone decides.
    public static let none = PinSet(pins: [], expires: nil, afterExpiry: .enforced)
    public var isEmpty: Bool { pins.isEmpty }

    /// - Parameter pins: Each `sha256/` and the base64 of the SHA-256 of a SubjectPublicKeyInfo, as `ostiary pin` prints it.
    /// - Throws: ``PinProblem/malformed(_:)`` for a text that is none; ``PinProblem/tooFew`` without two different ones.
    public init(
        _ pins: [String], expires: Date? = nil, afterExpiry: AfterExpiry = .systemDecides
    ) throws(PinProblem) {
        var known: Set<String> = []
        for pin in pins { known.insert(try PublicKeyPin(pin).base64) }
        guard known.count >= 2 else { throw .tooFew }
        self.init(pins: known, expires: expires, afterExpiry: afterExpiry)
    }

    private init(pins: Set<String>, expires: Date?, afterExpiry: AfterExpiry) {
        self.pins = pins
        self.expires = expires
        self.afterExpiry = afterExpiry
    }

    /// Whether the time for which the pins were made is over.
    public func isExpired(at now: Date) -> Bool { expires.map { now >= $0 } ?? false }

    /// Whether a connection needs one of the pins at that moment.
    public func isEnforced(at now: Date) -> Bool { !isEmpty && (afterExpiry == .enforced || !isExpired(at: now)) }

    /// Whether a server may be spoken to that has shown this chain.
    ///
    /// - Parameter chain: The certificates in DER, as they were *validated*: in what a server merely presents, anybody can
    ///   put a copy of a pinned authority's certificate beside a leaf of their own.
    public func allows(chain: some Sequence<some Collection<UInt8>>, at now: Date) -> Bool {
        allows(keys: chain.lazy.compactMap { PublicKeyPin(certificate: $0) }, at: now)
    }

    /// - Parameter keys: Of the validated chain.
    package func allows(keys: some Sequence<PublicKeyPin>, at now: Date) -> Bool {
        !isEnforced(at: now) || keys.contains { pins.contains($0.base64) }
    }
}

extension PinSet: CustomStringConvertible {
    public var description: String {
        isEmpty ? "no pins" : "\(pins.count) pins" + (expires.map { " until \($0.formatted(.iso8601))" } ?? "")
    }
}
