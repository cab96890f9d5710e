/// The reason for which bytes are rejected as a credential public key.
package enum COSEKeyProblem: Error, Hashable, Sendable {
    /// The bytes are not strict CBOR.
    case cbor(CBORProblem)
    /// The value is not a map of exactly the parameters that its algorithm requires.
    case parameters
    /// The algorithm is none of ``COSEKey/Algorithm``.
    case algorithm
    /// The key type is not that of the algorithm.
    case keyType
    /// The curve is not that of the algorithm.
    case curve
    /// A coordinate is not a byte string of 32 bytes.
    case coordinate
    /// The point is not on its curve, is not canonically encoded, or has small order.
    case point
    /// The modulus does not have 2048 to 4096 bits, has leading zeros, or is even.
    case modulus
    /// The public exponent is not 65537 in three bytes.
    case exponent
}

extension COSEKeyProblem: CustomStringConvertible {
    /// The reason as a clause in English, for logs.
    package var description: String {
        switch self {
        case .cbor(let problem): problem.description
        case .parameters: "it does not have exactly the required parameters"
        case .algorithm: "the algorithm is not supported"
        case .keyType: "the key type does not fit the algorithm"
        case .curve: "the curve does not fit the algorithm"
        case .coordinate: "a coordinate does not have 32 bytes"
        case .point: "the point is not a valid point of its curve"
        case .modulus: "the modulus is not an odd number of 2048 to 4096 bits"
        case .exponent: "the public exponent is not 65537"
        }
    }
}
