/// An element of the Distinguished Encoding Rules. Source: ITU-T X.690 §8.1 and §10.1.
struct DERElement: Sendable {
    /// The identifier octet. Elements with longer identifiers are refused: certificates have none outside of octet strings.
    let tag: UInt8
    /// The contents octets.
    let content: ArraySlice<UInt8>
    /// The whole element: identifier, length and contents.
    let encoded: ArraySlice<UInt8>

    /// The identifier octets of the types that certificates use. Source: RFC 5280 appendix A.
    enum Tag {
        static let boolean: UInt8 = 0x01
        static let integer: UInt8 = 0x02
        static let bitString: UInt8 = 0x03
        static let octetString: UInt8 = 0x04
        static let objectIdentifier: UInt8 = 0x06
        static let utcTime: UInt8 = 0x17
        static let generalizedTime: UInt8 = 0x18
        static let sequence: UInt8 = 0x30

        /// Returns the identifier octet of a constructed, context-specific element.
        static func context(_ number: UInt8) -> UInt8 { 0xA0 | number }
    }
}
