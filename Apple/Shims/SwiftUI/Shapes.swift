// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals, NoLeadingUnderscores, NeverForceUnwrap
public protocol Shape: Sendable, ShimPrimitive { nonisolated func path(in rect: CGRect) -> Path }
extension Shape {
    @MainActor public func nodes(_ c: ShimContext) -> [ShimNode] { [shimNode(fill: nil)] }
    @MainActor public func fill<S: ShapeStyle>(_ content: S) -> some View { ShimFilled(shape: self, fill: content) }
    @MainActor func shimNode(fill: String?) -> ShimNode {
        let node = ShimNode("Shape")
        node.looks["path"] = path(in: CGRect(x: 0, y: 0, width: 48, height: 48)).shimData
        node.looks["fill"] = fill
        return node
    }
}
struct ShimFilled<S: Shape, Fill: ShapeStyle>: ShimPrimitive {
    let shape: S, fill: Fill
    func nodes(_ c: ShimContext) -> [ShimNode] { [shape.shimNode(fill: fill.shimName)] }
}
/// Straight lines and cubic curves: the bounds are those of all points, as the real one's `boundingRect` documents.
public struct Path: Equatable, Sendable {
    public enum Element: Equatable, Sendable {
        case move(to: CGPoint)
        case line(to: CGPoint)
        case curve(to: CGPoint, control1: CGPoint, control2: CGPoint)
        case closeSubpath
    }
    private var elements: [Element] = []
    public init() {}
    public var isEmpty: Bool { elements.isEmpty }
    public mutating func move(to end: CGPoint) { elements.append(.move(to: end)) }
    public mutating func addLine(to end: CGPoint) { elements.append(.line(to: end)) }
    public mutating func addCurve(to end: CGPoint, control1: CGPoint, control2: CGPoint) {
        elements.append(.curve(to: end, control1: control1, control2: control2))
    }
    public mutating func closeSubpath() { elements.append(.closeSubpath) }
    public func forEach(_ body: (Element) -> Void) { elements.forEach(body) }
    public var boundingRect: CGRect {
        let points = elements.flatMap { element -> [CGPoint] in
            switch element {
            case .move(let end), .line(let end): [end]
            case .curve(let end, let first, let second): [end, first, second]
            case .closeSubpath: []
            }
        }
        let x = points.map(\.x), y = points.map(\.y)
        guard let left = x.min(), let right = x.max(), let top = y.min(), let bottom = y.max() else { return .zero }
        return CGRect(x: left, y: top, width: right - left, height: bottom - top)
    }
    var shimData: String {
        func text(_ points: CGPoint...) -> String {
            points.map { String(format: "%.2f %.2f", $0.x, $0.y) }.joined(separator: " ")
        }
        return elements.map { element in
            switch element {
            case .move(let end): "M" + text(end)
            case .line(let end): "L" + text(end)
            case .curve(let end, let first, let second): "C" + text(first, second, end)
            case .closeSubpath: "Z"
            }
        }.joined()
    }
}
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
    public nonisolated func path(in rect: CGRect) -> Path { Path() }
    public func nodes(_ c: ShimContext) -> [ShimNode] { [] }
}
public struct Circle: InsettableShape, ShimPrimitive {
    public nonisolated init() {}
    public nonisolated func path(in rect: CGRect) -> Path { Path() }
    public func nodes(_ c: ShimContext) -> [ShimNode] { [] }
}
public struct Rectangle: InsettableShape, ShimPrimitive {
    public nonisolated init() {}
    public nonisolated func path(in rect: CGRect) -> Path { Path() }
    public func nodes(_ c: ShimContext) -> [ShimNode] { [] }
}
extension View {
    public func contentShape<S: Shape>(_ shape: S, eoFill: Bool = false) -> some View { self }
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
