// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals, NoLeadingUnderscores, NeverForceUnwrap
public protocol Shape: Sendable, View {}
public protocol InsettableShape: Shape {}
extension InsettableShape {
    @MainActor public func strokeBorder<S: ShapeStyle>(_ content: S, lineWidth: CGFloat = 1) -> some View {
        ShimStroke(colour: content.shimName)
    }
}
/// The border of what it lies on.
struct ShimStroke: ShimPrimitive {
    let colour: String
    func nodes(_ c: ShimContext) -> [ShimNode] {
        let node = ShimNode("#stroke"); node.looks["border"] = colour; return [node]
    }
}
public struct RoundedRectangle: InsettableShape, ShimPrimitive {
    let cornerRadius: CGFloat
    public nonisolated init(cornerRadius: CGFloat) { self.cornerRadius = cornerRadius }
    public func nodes(_ c: ShimContext) -> [ShimNode] { [] }
}
public struct Circle: InsettableShape, ShimPrimitive {
    public nonisolated init() {}
    public func nodes(_ c: ShimContext) -> [ShimNode] { [] }
}
extension View {
    public func background<S: ShapeStyle, T: InsettableShape>(_ style: S, in shape: T) -> some View {
        ShimModified(
            content: self,
            up: { nodes, _ in
                for node in nodes {
                    node.looks["background"] = style.shimName
                    if let shape = shape as? RoundedRectangle { node.looks["radius"] = "\(Int(shape.cornerRadius))" }
                }
            })
    }
}
