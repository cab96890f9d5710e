// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals, NoLeadingUnderscores, NeverForceUnwrap
import CoreGraphics

// MARK: Images of CoreGraphics

extension Image {
    public enum Orientation: Hashable, Sendable { case up }
    public enum Interpolation: Sendable { case none }

    public init(_ cgImage: CGImage, scale: CGFloat, orientation: Image.Orientation = .up, label: Text) {
        self.init(drawn: Drawn(text: cgImage.shimText, label: label.text, isSharp: false))
    }
    public func interpolation(_ interpolation: Image.Interpolation) -> Image {
        var image = self
        image.drawn?.isSharp = interpolation == .none
        return image
    }

    struct Drawn: Equatable, Sendable {
        let text: String, label: String
        var isSharp: Bool
        @MainActor var node: ShimNode {
            let node = ShimNode("QRCode", label)
            node.attributes["payload"] = text
            node.attributes["sharp"] = "\(isSharp)"
            return node
        }
    }
}

// MARK: Sharing

public struct ShareLink<Data: RandomAccessCollection, PreviewImage, PreviewIcon, Label: View>: View {
    let items: Data, label: Label
    public var body: some View {
        ShimShareLink(text: items.map { "\($0)" }.joined(separator: " ").replacing("\n", with: "⏎"), label: label)
    }
}
struct ShimShareLink<Label: View>: ShimPrimitive {
    let text: String, label: Label
    func nodes(_ c: ShimContext) -> [ShimNode] {
        let node = ShimNode("ShareLink", label.shimText(c.at("label")), enabled: c.env.isEnabled)
        node.attributes["item"] = text
        return [node]
    }
}
extension ShareLink where PreviewImage == Never, PreviewIcon == Never {
    public init(
        item: String, subject: Text? = nil, message: Text? = nil, @ViewBuilder label: () -> Label
    ) where Data == CollectionOfOne<String> {
        items = CollectionOfOne(item); self.label = label()
    }
}

extension View {
    public func monospaced(_ isActive: Bool = true) -> some View { look("family", isActive ? "monospace" : nil) }
    public func speechSpellsOutCharacters(_ value: Bool = true) -> some View {
        ShimModified(
            content: self,
            up: { nodes, _ in for node in nodes { node.attributes["spelled"] = value ? "true" : nil } })
    }
    public func accessibilityIgnoresInvertColors(_ active: Bool = true) -> some View {
        ShimModified(
            content: self,
            up: { nodes, _ in for node in nodes { node.attributes["inverts"] = active ? "never" : nil } })
    }
}
