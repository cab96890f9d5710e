// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals, NoLeadingUnderscores, NeverForceUnwrap
#if canImport(UIKit)
import UIKit
#endif

/// Every modifier of the shim: it may change the context on the way down and the nodes on the way up.
public struct ShimModified<Content: View>: ShimPrimitive {
    let content: Content
    var down: @MainActor (inout ShimContext) -> Void = { _ in }
    var up: @MainActor (inout [ShimNode], ShimContext) -> Void = { _, _ in }
    public func nodes(_ c: ShimContext) -> [ShimNode] {
        var inner = c
        down(&inner)
        var nodes = content.shimRender(inner.at("m"))
        up(&nodes, c)
        return nodes
    }
}
@MainActor @preconcurrency public protocol ViewModifier {
    associatedtype Body: View; typealias Content = AnyView;
    @ViewBuilder @MainActor @preconcurrency func body(content: Content) -> Body
}

extension View {
    private func down(_ body: @escaping @MainActor (inout ShimContext) -> Void) -> ShimModified<Self> {
        ShimModified(content: self, down: body)
    }
    private func up(_ body: @escaping @MainActor (inout [ShimNode], ShimContext) -> Void) -> ShimModified<Self> {
        ShimModified(content: self, up: body)
    }
    private func note(_ name: String, _ value: @autoclosure @escaping () -> String?) -> ShimModified<Self> {
        up { nodes, _ in for node in nodes { node.attributes[name] = value() } }
    }
    public func modifier<T: ViewModifier>(_ modifier: T) -> some View {
        ShimWithModifier(content: self, modifier: modifier)
    }

    // environment, state, lifecycle
    public func environment<V>(_ path: WritableKeyPath<EnvironmentValues, V>, _ value: V) -> some View {
        down { $0.env[keyPath: path] = value }
    }
    public func environment<T: AnyObject & Observable>(_ object: T?) -> some View {
        down { $0.env.objects[ObjectIdentifier(T.self)] = object }
    }
    public func disabled(_ disabled: Bool) -> some View { down { $0.env.isEnabled = $0.env.isEnabled && !disabled } }
    public func onSubmit(_ action: @escaping () -> Void) -> some View { down { $0.submit = action } }
    public func onOpenURL(perform action: @escaping (URL) -> Void) -> some View {
        up { _, c in c.host.openers.append(action) }
    }
    public func onAppear(perform action: (() -> Void)? = nil) -> some View {
        up { _, c in c.host.appear(c.path + "#appear") { action?() } }
    }
    public func onDisappear(perform action: (() -> Void)? = nil) -> some View {
        up { _, c in c.host.appear(c.path + "#disappear", {}, gone: { action?() }) }
    }
    public func task(
        priority: TaskPriority = .userInitiated, @_inheritActorContext _ action: @escaping @Sendable () async -> Void
    ) -> some View {
        up { _, c in c.host.task(c.path + "#task", priority, action) }
    }
    public func task<T: Equatable>(
        id: T, priority: TaskPriority = .userInitiated,
        @_inheritActorContext _ action: @escaping @Sendable () async -> Void
    ) -> some View {
        up { _, c in c.host.task(c.path + "#task(\(id))", priority, action) }
    }
    public func onChange<V: Equatable>(of value: V, initial: Bool = false, _ action: @escaping (V, V) -> Void)
        -> some View
    {
        up { _, c in c.host.change(c.path + "#change", value, initial, action) }
    }
    public func onChange<V: Equatable>(of value: V, initial: Bool = false, _ action: @escaping () -> Void) -> some View
    { onChange(of: value, initial: initial) { _, _ in action() } }
    public func focused<V: Hashable>(_ binding: FocusState<V>.Binding, equals value: V) -> some View {
        up { nodes, _ in
            for node in nodes where node.set != nil {
                node.attributes["focused"] = "\(binding.wrappedValue == value)"
                let set = node.set;
                node.set = {
                    binding.wrappedValue = value; set?($0)
                }
            }
        }
    }

    // presentation
    public func alert<A: View, M: View>(
        _ key: LocalizedStringKey, isPresented: Binding<Bool>, @ViewBuilder actions: () -> A,
        @ViewBuilder message: () -> M
    ) -> some View {
        shimAlert(key.text, isPresented, actions(), message())
    }
    public func alert<A: View>(_ key: LocalizedStringKey, isPresented: Binding<Bool>, @ViewBuilder actions: () -> A)
        -> some View
    { shimAlert(key.text, isPresented, actions(), EmptyView()) }
    public func alert<A: View, M: View, T>(
        _ key: LocalizedStringKey, isPresented: Binding<Bool>, presenting data: T?, @ViewBuilder actions: (T) -> A,
        @ViewBuilder message: (T) -> M
    ) -> some View {
        shimAlert(key.text, isPresented, data.map(actions), data.map(message))
    }
    public func alert<E: LocalizedError, A: View>(isPresented: Binding<Bool>, error: E?, @ViewBuilder actions: () -> A)
        -> some View
    {
        shimAlert(error?.errorDescription ?? "", error == nil ? .constant(false) : isPresented, actions(), EmptyView())
    }
    private func shimAlert(_ title: String, _ isPresented: Binding<Bool>, _ actions: some View, _ message: some View)
        -> some View
    {
        up { nodes, c in
            guard isPresented.wrappedValue else { return }
            var c = c.at("alert")
            c.env.isEnabled = true
            for node in nodes.flatMap(\.all) { node.enabled = false }  // an alert is modal
            let alert = ShimNode(
                "Alert", title, message.shimRender(c.at("message")) + actions.shimRender(c.at("actions")))
            if !alert.all.contains(where: { $0.kind == "Button" }) {
                let ok = ShimNode("Button", "OK"); ok.press = {}; alert.children.append(ok)
            }
            for button in alert.all where button.kind == "Button" {
                let press = button.press;
                button.press = {
                    isPresented.wrappedValue = false; press?()
                }
            }
            nodes.append(alert)
        }
    }
    public func sheet<S: View>(
        isPresented: Binding<Bool>, onDismiss: (() -> Void)? = nil, @ViewBuilder content: @escaping () -> S
    ) -> some View {
        up { nodes, c in
            c.host.change(c.path + "#sheet", isPresented.wrappedValue, false) { was, isNow in
                if was, !isNow { onDismiss?() }
            }
            guard isPresented.wrappedValue else { return }
            var c = c.at("sheet")
            c.env.dismiss = DismissAction { isPresented.wrappedValue = false }
            c.navigation = nil
            for node in nodes.flatMap(\.all) { node.enabled = false }
            nodes.append(ShimNode("Sheet", content().shimRender(c)))
        }
    }
    public func navigationDestination<D: Hashable, C: View>(
        for data: D.Type, @ViewBuilder destination: @escaping (D) -> C
    ) -> some View {
        up { _, c in c.navigation?.builders[ObjectIdentifier(D.self)] = { destination($0 as! D) } }
    }
    public func navigationTitle(_ key: LocalizedStringKey) -> some View {
        up { nodes, _ in nodes.insert(ShimNode("NavigationTitle", key.text), at: 0) }
    }
    @_disfavoredOverload public func navigationTitle<S: StringProtocol>(_ title: S) -> some View {
        up { nodes, _ in nodes.insert(ShimNode("NavigationTitle", String(title)), at: 0) }
    }
    public func toolbar<C: ToolbarContent>(@ToolbarContentBuilder content: () -> C) -> some View {
        let content = content()
        return up { nodes, c in
            let items = content.toolbarNodes(c.at("toolbar"))
            if !items.isEmpty { nodes.append(ShimNode("Toolbar", items)) }
        }
    }
    public func overlay<V: View>(alignment: Alignment = .center, @ViewBuilder content: () -> V) -> some View {
        let view = content()
        return up { nodes, c in
            let over = view.shimRender(c.at("overlay"))
            for stroke in over where stroke.kind == "#stroke" {
                for node in nodes { node.looks["border"] = stroke.looks["border"] }
            }
            nodes += over.filter { $0.kind != "#stroke" }
        }
    }
    public func background<V: View>(alignment: Alignment = .center, @ViewBuilder content: () -> V) -> some View {
        let view = content(); return up { nodes, c in nodes = view.shimRender(c.at("background")) + nodes }
    }

    // text input
    public func textContentType(_ type: ShimTextContentType?) -> some View { note("textContentType", type?.rawValue) }
    public func autocorrectionDisabled(_ disable: Bool = true) -> some View {
        note("autocorrection", disable ? "off" : "on")
    }
    public func submitLabel(_ label: SubmitLabel) -> some View { note("submitLabel", label.name) }
    public func privacySensitive(_ sensitive: Bool = true) -> some View { note("privacySensitive", "\(sensitive)") }

    // accessibility
    public func accessibilityIdentifier(_ id: String) -> some View { note("id", id) }
    public func accessibilityLabel(_ key: LocalizedStringKey) -> some View {
        up { nodes, _ in for node in nodes { node.label = key.text } }
    }
    @_disfavoredOverload public func accessibilityLabel<S: StringProtocol>(_ label: S) -> some View {
        up { nodes, _ in for node in nodes { node.label = String(label) } }
    }
    public func accessibilityHint(_ key: LocalizedStringKey) -> some View { note("hint", key.text) }
    @_disfavoredOverload public func accessibilityHint<S: StringProtocol>(_ hint: S) -> some View {
        note("hint", hint.isEmpty ? nil : String(hint))
    }
    @_disfavoredOverload public func accessibilityValue<S: StringProtocol>(_ value: S) -> some View {
        note("value", String(value))
    }
    public func accessibilityAddTraits(_ traits: AccessibilityTraits) -> some View { note("traits", traits.names) }
    public func accessibilityElement(children: AccessibilityChildBehavior = .ignore) -> some View {
        note("element", children.name)
    }
    public func accessibilityHidden(_ hidden: Bool) -> some View {
        up { nodes, _ in for node in nodes where hidden { node.attributes["hidden"] = "true" } }
    }

    #if canImport(UIKit)  // not on macOS
    public func keyboardType(_ type: UIKeyboardType) -> some View { note("keyboardType", "\(type)") }
    public func textInputAutocapitalization(_ value: TextInputAutocapitalization?) -> some View {
        note("autocapitalization", value?.name)
    }
    public func navigationBarTitleDisplayMode(_ mode: NavigationBarItem.TitleDisplayMode) -> some View {
        up { nodes, _ in
            for node in nodes where node.kind == "NavigationTitle" { node.looks["mode"] = "\(mode)" }
        }
    }
    #endif

    // looks: for pictures alone
    func look(_ name: String, _ value: @autoclosure @escaping () -> String?) -> ShimModified<Self> {
        up { nodes, _ in for node in nodes where node.looks[name] == nil { node.looks[name] = value() } }
    }
    /// The innermost counts, and it counts for everything inside that has none.
    private func tone(_ name: String, _ value: String?) -> ShimModified<Self> {
        up { nodes, _ in for node in nodes.flatMap(\.all) where node.looks[name] == nil { node.looks[name] = value } }
    }
    public func padding(_ edges: Edge.Set = .all, _ length: CGFloat? = nil) -> some View { self }
    public func padding(_ length: CGFloat) -> some View { look("padding", "\(Int(length))") }
    public func frame(
        minWidth: CGFloat? = nil, idealWidth: CGFloat? = nil, maxWidth: CGFloat? = nil, minHeight: CGFloat? = nil,
        idealHeight: CGFloat? = nil, maxHeight: CGFloat? = nil, alignment: Alignment = .center
    ) -> some View {
        look("width", maxWidth == .infinity ? "full" : nil).look("height", minHeight.map { "\(Int($0))" })
    }
    public func frame(width: CGFloat? = nil, height: CGFloat? = nil, alignment: Alignment = .center) -> some View {
        look("height", height.map { "\(Int($0))" })
    }
    public func fixedSize(horizontal: Bool, vertical: Bool) -> some View { self }
    public func scaledToFit() -> some View { self }
    public func font(_ font: Font?) -> some View { tone("font", font?.name) }
    public func foregroundStyle<S: ShapeStyle>(_ style: S) -> some View { tone("colour", style.shimName) }
    public func background<S: ShapeStyle>(_ style: S) -> some View { look("background", style.shimName) }
    public func tint(_ color: Color?) -> some View { tone("tint", color?.shimName) }
    public func multilineTextAlignment(_ alignment: TextAlignment) -> some View { look("align", "\(alignment)") }
    public func buttonStyle<S: PrimitiveButtonStyle>(_ style: S) -> some View {
        up { nodes, _ in
            for node in nodes.flatMap(\.all) where node.kind == "Button" && node.looks["style"] == nil {
                node.looks["style"] = style.shimName
            }
        }
    }
    public func buttonBorderShape(_ shape: ButtonBorderShape) -> some View { look("radius", shape.radius) }
    public func controlSize(_ size: ControlSize) -> some View { self }
    public func interactiveDismissDisabled(_ disabled: Bool = true) -> some View { self }
    public func formStyle<S: FormStyle>(_ style: S) -> some View { self }
    /// Stricter than Apple's words: a field whose label is hidden has none, unless it is given one.
    public func labelsHidden() -> some View {
        up { nodes, _ in for node in nodes where node.set != nil { node.label = "" } }.look("labels", "hidden")
    }
    public func listRowInsets(_ insets: EdgeInsets?) -> some View { self }
    public func listRowBackground<V: View>(_ view: V?) -> some View { look("row", "clear") }
    public func clipShape<S: Shape>(_ shape: S) -> some View { self }
    public func fontWeight(_ weight: Font.Weight?) -> some View { look("weight", weight?.rawValue) }
    public func bold(_ isActive: Bool = true) -> some View { look("weight", isActive ? "bold" : nil) }
    public func monospacedDigit() -> some View { self }
    public func flipsForRightToLeftLayoutDirection(_ enabled: Bool) -> some View { look("flips", "\(enabled)") }
}

public struct AccessibilityTraits: SetAlgebra, Sendable {
    private var set: Set<String> = []
    public init() {}
    private init(_ name: String) { set = [name] }
    var names: String { self.set.sorted().joined(separator: ",") }
    public static let isHeader = Self("header"), isButton = Self("button"), updatesFrequently = Self("updates"),
        isSelected = Self("selected")
    public func contains(_ member: Self) -> Bool { set.isSuperset(of: member.set) }
    public mutating func insert(_ new: Self) -> (inserted: Bool, memberAfterInsert: Self) {
        set.formUnion(new.set); return (true, new)
    }
    public mutating func remove(_ member: Self) -> Self? { set.subtract(member.set); return member }
    public mutating func update(with new: Self) -> Self? { set.formUnion(new.set); return new }
    public func union(_ other: Self) -> Self { var s = self; s.formUnion(other); return s }
    public func intersection(_ other: Self) -> Self { var s = self; s.formIntersection(other); return s }
    public func symmetricDifference(_ other: Self) -> Self { var s = self; s.formSymmetricDifference(other); return s }
    public mutating func formUnion(_ other: Self) { set.formUnion(other.set) }
    public mutating func formIntersection(_ other: Self) { set.formIntersection(other.set) }
    public mutating func formSymmetricDifference(_ other: Self) { set.formSymmetricDifference(other.set) }
}
public struct AccessibilityChildBehavior: Hashable, Sendable {
    let name: String
    public static let ignore = Self(name: "ignore"), contain = Self(name: "contain"), combine = Self(name: "combine")
}
public struct EdgeInsets: Equatable, Sendable {
    public var top, leading, bottom, trailing: CGFloat
    public init(top: CGFloat, leading: CGFloat, bottom: CGFloat, trailing: CGFloat) {
        self.top = top; self.leading = leading; self.bottom = bottom; self.trailing = trailing
    }
    public init() { self.init(top: 0, leading: 0, bottom: 0, trailing: 0) }
}
public struct ButtonBorderShape: Equatable, Sendable {
    let radius: String
    public static let automatic = Self(radius: "8"), capsule = Self(radius: "999")
    public static let roundedRectangle = Self(radius: "8")
    public static func roundedRectangle(radius: CGFloat) -> Self { Self(radius: "\(Int(radius))") }
}
@MainActor @preconcurrency public protocol FormStyle {}
public struct GroupedFormStyle: FormStyle { public nonisolated init() {} }
extension FormStyle where Self == GroupedFormStyle { public static var grouped: Self { .init() } }

public struct TextInputAutocapitalization: Sendable {
    let name: String; public static var never: Self { .init(name: "never") };
    public static var words: Self { .init(name: "words") };
    public static var sentences: Self { .init(name: "sentences") }
}
public struct SubmitLabel: Sendable {
    let name: String; public static var go: Self { .init(name: "go") };
    public static var next: Self { .init(name: "next") }; public static var done: Self { .init(name: "done") };
    public static var join: Self { .init(name: "join") }
}
public enum Edge: Sendable {
    public struct Set: OptionSet, Sendable {
        public let rawValue: Int; public init(rawValue: Int) { self.rawValue = rawValue }
        public static let top = Set(rawValue: 1), leading = Set(rawValue: 2), bottom = Set(rawValue: 4),
            trailing = Set(rawValue: 8), all = Set(rawValue: 15), horizontal = Set(rawValue: 10),
            vertical = Set(rawValue: 5)
    }
}
public struct Font: Hashable, Sendable {
    let name: String
    public enum TextStyle: String, CaseIterable, Sendable {
        case largeTitle, title, title2, title3, headline, subheadline, body, callout, footnote, caption, caption2
    }
    public enum Weight: String, Sendable { case regular, medium, semibold, bold }
    public static let largeTitle = Font(name: "largeTitle"), title = Font(name: "title"), title2 = Font(name: "title2"),
        title3 = Font(name: "title3"), headline = Font(name: "headline"), subheadline = Font(name: "subheadline"),
        body = Font(name: "body"), callout = Font(name: "callout"), footnote = Font(name: "footnote"),
        caption = Font(name: "caption")
    public static func system(_ style: TextStyle) -> Font { Font(name: style.rawValue) }
    public func weight(_ weight: Weight) -> Font { Font(name: name + " " + weight.rawValue) }
    public func bold() -> Font { weight(.bold) }
    public func monospacedDigit() -> Font { self }
}
public protocol ShapeStyle: Sendable { var shimName: String { get } }
public struct Color: ShapeStyle, Hashable {
    public let shimName: String
    public init(shimName: String) { self.shimName = shimName }
    public init(red: Double, green: Double, blue: Double, opacity: Double = 1) {
        shimName = "rgb(\(Int(red * 255)),\(Int(green * 255)),\(Int(blue * 255)))"
    }
    public init(white: Double, opacity: Double = 1) {
        shimName = "rgb(\(Int(white * 255)),\(Int(white * 255)),\(Int(white * 255)))"
    }
    public static let red = Color(shimName: "red"), orange = Color(shimName: "orange"),
        green = Color(shimName: "green"),
        blue = Color(shimName: "blue"), black = Color(shimName: "black"), white = Color(shimName: "white"),
        clear = Color(shimName: "clear"), primary = Color(shimName: "primary"), gray = Color(shimName: "gray"),
        secondary = Color(shimName: "secondary"), accentColor = Color(shimName: "accent")
}
extension Color: View, ShimPrimitive {
    public typealias Body = Never
    public func nodes(_ c: ShimContext) -> [ShimNode] { [] }
}
public struct HierarchicalShapeStyle: ShapeStyle { public let shimName: String }
extension ShapeStyle where Self == Color {
    public static var red: Color { Color(shimName: "red") }
    public static var orange: Color { Color(shimName: "orange") }
    public static var green: Color { Color(shimName: "green") }
    public static var blue: Color { Color(shimName: "blue") }
    public static var black: Color { Color(shimName: "black") }
    public static var white: Color { Color(shimName: "white") }
}
extension ShapeStyle where Self == HierarchicalShapeStyle {
    public static var primary: Self { .init(shimName: "primary") }
    public static var secondary: Self { .init(shimName: "secondary") }
    public static var tertiary: Self { .init(shimName: "tertiary") }
}
public enum TextAlignment: Sendable { case leading, center, trailing }
public enum ControlSize: Sendable { case mini, small, regular, large }
public protocol PrimitiveButtonStyle { var shimName: String { get } }
public struct BorderedProminentButtonStyle: PrimitiveButtonStyle {
    public init() {}; public var shimName: String { "prominent" }
}
public struct BorderedButtonStyle: PrimitiveButtonStyle { public init() {}; public var shimName: String { "bordered" } }
public struct BorderlessButtonStyle: PrimitiveButtonStyle {
    public init() {}; public var shimName: String { "borderless" }
}
public struct PlainButtonStyle: PrimitiveButtonStyle { public init() {}; public var shimName: String { "plain" } }
extension PrimitiveButtonStyle where Self == BorderedProminentButtonStyle {
    public static var borderedProminent: Self { .init() }
}
extension PrimitiveButtonStyle where Self == BorderedButtonStyle { public static var bordered: Self { .init() } }
extension PrimitiveButtonStyle where Self == BorderlessButtonStyle { public static var borderless: Self { .init() } }
extension PrimitiveButtonStyle where Self == PlainButtonStyle { public static var plain: Self { .init() } }
public enum NavigationBarItem { public enum TitleDisplayMode: Sendable { case automatic, inline, large } }

@MainActor @preconcurrency public protocol ToolbarContent { func toolbarNodes(_ c: ShimContext) -> [ShimNode] }
public struct ToolbarItemPlacement: Sendable {
    public static let automatic = Self(), primaryAction = Self(), cancellationAction = Self(),
        confirmationAction = Self(), keyboard = Self()
    #if canImport(UIKit)
    public static let topBarTrailing = Self(), topBarLeading = Self()
    #endif
}
public struct ToolbarItem<ID, Content: View>: ToolbarContent {
    let content: Content
    public init(placement: ToolbarItemPlacement = .automatic, @ViewBuilder content: () -> Content) where ID == () {
        self.content = content()
    }
    public func toolbarNodes(_ c: ShimContext) -> [ShimNode] { content.shimRender(c) }
}
public struct ShimToolbarItems: ToolbarContent {
    let items: [any ToolbarContent];
    public func toolbarNodes(_ c: ShimContext) -> [ShimNode] {
        items.enumerated().flatMap { $1.toolbarNodes(c.at("\($0)")) }
    }
}
@resultBuilder public struct ToolbarContentBuilder {
    public static func buildBlock<C: ToolbarContent>(_ content: C) -> C { content }
    @MainActor public static func buildBlock<each C: ToolbarContent>(_ content: repeat each C) -> ShimToolbarItems {
        var list: [any ToolbarContent] = []; repeat list.append(each content); return ShimToolbarItems(items: list)
    }
}
