#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import CoreGraphics
import SwiftUI

/// A QR code: black on white in every appearance, as scanners require.
struct QRCodeView: View {
    @State private var image: CGImage?
    let text: String
    let label: String

    var body: some View {
        ZStack {
            if let image {
                Image(image, scale: 1, label: Text(label))
                    // Sharp edges.
                    .interpolation(.none)
                    .resizable()
                    .scaledToFit()
                    .frame(width: 200, height: 200)
                    // Four modules of a code of 49, which a URI of this length has.
                    .padding(20)
                    .background(Color.white)
                    .accessibilityIgnoresInvertColors(true)
                    .privacySensitive()
                    .accessibilityIdentifier("qr-code")
            }
        }
        .frame(maxWidth: .infinity)
        .onChange(of: text, initial: true) { _, text in image = QRCode.image(of: text) }
    }
}
#endif
