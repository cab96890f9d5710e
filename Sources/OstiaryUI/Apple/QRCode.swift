#if canImport(CoreImage) && !os(tvOS) && !os(watchOS)
import CoreGraphics
import CoreImage
import Foundation

/// A QR code, drawn by the system.
enum QRCode {
    /// Returns the code of a text, of one pixel for each module: scale it without interpolation, and leave a margin of four
    /// modules around it. Source: ISO/IEC 18004 §6.3.8.
    ///
    /// - Returns: `nil` if the system draws none, for example because the text is too long.
    static func image(of text: String) -> CGImage? {
        let filter = CIFilter(
            name: "CIQRCodeGenerator",
            parameters: ["inputMessage": Data(text.utf8), "inputCorrectionLevel": "M"])
        guard let output = filter?.outputImage else { return nil }
        return CIContext().createCGImage(output, from: output.extent)
    }
}
#endif
