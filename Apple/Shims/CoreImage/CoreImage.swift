import CoreGraphics
import Foundation

/// A filter by name: the generator of QR codes alone. It refuses names, keys and values that the real one does not have; the
/// real one raises on those.
open class CIFilter: NSObject {
    private let message: Data
    private let level: String

    public init?(name: String, parameters params: [String: Any]?) {
        guard name == "CIQRCodeGenerator" else { return nil }
        let params = params ?? [:]
        precondition(params.keys.allSatisfy { ["inputMessage", "inputCorrectionLevel"].contains($0) })
        guard let message = params["inputMessage"] as? Data, let level = params["inputCorrectionLevel"] as? String
        else {
            preconditionFailure("the message is data, and the level a letter")
        }
        precondition(["L", "M", "Q", "H"].contains(level))
        (self.message, self.level) = (message, level)
    }

    /// The code; nil for a message that is too long, of 2,331 bytes with the level M. Source: ISO/IEC 18004 table 7.
    open var outputImage: CIImage? {
        let limit = ["L": 2953, "M": 2331, "Q": 1663, "H": 1273][level] ?? 0
        return message.count > limit ? nil : CIImage(shimText: String(decoding: message, as: UTF8.self))
    }
}

public final class CIImage: NSObject {
    public let shimText: String
    init(shimText: String) { self.shimText = shimText }
    public var extent: CGRect { CGRect(x: 0, y: 0, width: 51, height: 51) }
}

public final class CIContext: NSObject {
    public override init() {}
    public func createCGImage(_ image: CIImage, from fromRect: CGRect) -> CGImage? {
        precondition(fromRect == image.extent, "the shim draws the whole image")
        return CGImage(shimText: image.shimText, side: Int(fromRect.width))
    }
}
