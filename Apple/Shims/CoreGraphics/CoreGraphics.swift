import Foundation

/// An image, which the shim keeps as the text that it shows.
public final class CGImage: NSObject {
    public let shimText: String
    public let width: Int, height: Int
    public init(shimText: String, side: Int) {
        self.shimText = shimText
        (width, height) = (side, side)
    }
}
