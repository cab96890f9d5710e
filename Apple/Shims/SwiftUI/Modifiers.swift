// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals, NoLeadingUnderscores, NeverForceUnwrap
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
public protocol ViewModifier {
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
    public func modifier<T: ViewModifier>(_ modifier: T) -> some View { modifier.body(content: AnyView(self)) }

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
    public func focused<V: Hashable>(_ binding: FocusState<V?>.Binding, equals value: V) -> some View {
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
            guard isPresented.wrappedValue else { return }
            var c = c.at("sheet")
            c.env.dismiss = DismissAction {
                isPresented.wrappedValue = false; onDismiss?()
            }
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
        return up { nodes, c in nodes.append(ShimNode("Toolbar", content.toolbarNodes(c.at("toolbar")))) }
    }
    public func overlay<V: View>(alignment: Alignment = .center, @ViewBuilder content: () -> V) -> some View {
        let view = content(); return up { nodes, c in nodes += view.shimRender(c.at("overlay")) }
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
    public func accessibilityHint(_ key: LocalizedStringKey) -> some View { note("hint", key.text) }
    public func accessibilityHidden(_ hidden: Bool) -> some View { note("hidden", hidden ? "true" : nil) }

    #if canImport(UIKit)  // not on macOS
    public func keyboardType(_ type: UIKeyboardType) -> some View { note("keyboardType", "\(type)") }
    public func textInputAutocapitalization(_ value: TextInputAutocapitalization?) -> some View {
        note("autocapitalization", value?.name)
    }
    public func navigationBarTitleDisplayMode(_ mode: NavigationBarItem.TitleDisplayMode) -> some View { self }
    #endif

    // looks: accepted and ignored
    public func padding(_ edges: Edge.Set = .all, _ length: CGFloat? = nil) -> some View { self }
    public func padding(_ length: CGFloat) -> some View { self }
    public func frame(
        minWidth: CGFloat? = nil, idealWidth: CGFloat? = nil, maxWidth: CGFloat? = nil, minHeight: CGFloat? = nil,
        idealHeight: CGFloat? = nil, maxHeight: CGFloat? = nil, alignment: Alignment = .center
    ) -> some View { self }
    public func font(_ font: Font?) -> some View { self }
    public func foregroundStyle<S: ShapeStyle>(_ style: S) -> some View { self }
    public func tint(_ color: Color?) -> some View { self }
    public func multilineTextAlignment(_ alignment: TextAlignment) -> some View { self }
    public func buttonStyle<S: PrimitiveButtonStyle>(_ style: S) -> some View { self }
    public func controlSize(_ size: ControlSize) -> some View { self }
    public func interactiveDismissDisabled(_ disabled: Bool = true) -> some View { self }
}

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
public struct Font: Sendable {
    public static let title = Font(), headline = Font(), body = Font(), callout = Font(), footnote = Font(),
        caption = Font()
}
public protocol ShapeStyle: Sendable {}
public struct Color: ShapeStyle {
    public static let red = Color(), blue = Color(), green = Color(), accentColor = Color()
}
public struct HierarchicalShapeStyle: ShapeStyle {}
extension ShapeStyle where Self == Color {
    public static var red: Color { Color() }; public static var green: Color { Color() };
    public static var blue: Color { Color() }
}
extension ShapeStyle where Self == HierarchicalShapeStyle {
    public static var primary: Self { .init() }; public static var secondary: Self { .init() }
}
public enum TextAlignment: Sendable { case leading, center, trailing }
public enum ControlSize: Sendable { case mini, small, regular, large }
public protocol PrimitiveButtonStyle {}
public struct BorderedProminentButtonStyle: PrimitiveButtonStyle { public init() {} }
public struct PlainButtonStyle: PrimitiveButtonStyle { public init() {} }
extension PrimitiveButtonStyle where Self == BorderedProminentButtonStyle {
    public static var borderedProminent: Self { .init() }
}
extension PrimitiveButtonStyle where Self == PlainButtonStyle { public static var plain: Self { .init() } }
public enum NavigationBarItem { public enum TitleDisplayMode: Sendable { case automatic, inline, large } }

@MainActor @preconcurrency public protocol ToolbarContent { func toolbarNodes(_ c: ShimContext) -> [ShimNode] }
public struct ToolbarItemPlacement: Sendable {
    public static let automatic = Self(), primaryAction = Self(), cancellationAction = Self(),
        confirmationAction = Self()
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
