// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals, NoLeadingUnderscores, NeverForceUnwrap
public struct LocalizedStringKey: ExpressibleByStringInterpolation, Equatable, Sendable {
    let text: String
    public init(_ value: String) { text = value }
    public init(stringLiteral value: String) { text = value }
}

public struct Text: Sendable {
    let text: String
    public init(_ key: LocalizedStringKey) { text = key.text }
    public init(verbatim content: String) { text = content }
    @_disfavoredOverload public init<S: StringProtocol>(_ content: S) { text = String(content) }
}
extension Text: View, ShimPrimitive {
    public typealias Body = Never
    public func nodes(_ c: ShimContext) -> [ShimNode] { [ShimNode("Text", text)] }
}
public struct Image: Equatable, Sendable {
    let name: String
    let isSymbol: Bool
    /// An image of CoreGraphics, in the place of a name.
    var drawn: Drawn?
    init(drawn: Drawn) { (name, isSymbol, self.drawn) = ("", false, drawn) }
    public init(systemName: String) { name = systemName; isSymbol = true }
    public init(_ name: String, bundle: Bundle? = nil) { self.name = name; isSymbol = false }
    public func resizable() -> Image { self }
    public enum TemplateRenderingMode: Sendable { case template, original }
    public func renderingMode(_ mode: TemplateRenderingMode?) -> Image { self }
}
extension Image: View, ShimPrimitive {
    public typealias Body = Never
    public func nodes(_ c: ShimContext) -> [ShimNode] {
        if let drawn { return [drawn.node] }
        let n = ShimNode("Image"); n.attributes[isSymbol ? "systemName" : "name"] = name; return [n]
    }
}
public struct Label<Title: View, Icon: View>: ShimPrimitive {
    let title: Title, icon: Icon
    public init(@ViewBuilder title: () -> Title, @ViewBuilder icon: () -> Icon) {
        self.title = title(); self.icon = icon()
    }
    public func nodes(_ c: ShimContext) -> [ShimNode] {
        [ShimNode("Label", icon.shimRender(c.at("icon")) + title.shimRender(c.at("title")))]
    }
}
extension Label where Title == Text, Icon == Image {
    public init(_ key: LocalizedStringKey, systemImage name: String) {
        title = Text(key); icon = Image(systemName: name)
    }
    @_disfavoredOverload public init<S: StringProtocol>(_ text: S, systemImage name: String) {
        title = Text(text); icon = Image(systemName: name)
    }
}
public struct Spacer: ShimPrimitive {
    public init(minLength: CGFloat? = nil) {}; public func nodes(_ c: ShimContext) -> [ShimNode] { [] }
}
public struct Divider: ShimPrimitive { public init() {}; public func nodes(_ c: ShimContext) -> [ShimNode] { [] } }

// MARK: containers
public struct Group<Content> { let content: Content }
extension Group: View, ShimPrimitive where Content: View {
    public typealias Body = Never
    public init(@ViewBuilder content: () -> Content) { self.content = content() }
    public func nodes(_ c: ShimContext) -> [ShimNode] { content.shimRender(c.at("Group")) }
}
@MainActor private func box(_ kind: String, _ content: some View, _ c: ShimContext) -> [ShimNode] {
    [ShimNode(kind, content.shimRender(c.at(kind)))]
}
extension ShimNode { convenience init(_ kind: String, _ children: [ShimNode]) { self.init(kind, "", children) } }

public enum HorizontalAlignment: Sendable { case leading, center, trailing }
public enum VerticalAlignment: Sendable { case top, center, bottom, firstTextBaseline }
public enum Alignment: Sendable { case center, leading, trailing, top, bottom }
public struct VStack<Content: View>: ShimPrimitive {
    let content: Content
    let alignment: HorizontalAlignment
    let spacing: CGFloat?
    public init(alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content)
    {
        self.content = content()
        self.alignment = alignment
        self.spacing = spacing
    }
    public func nodes(_ c: ShimContext) -> [ShimNode] {
        let nodes = box("VStack", content, c)
        for node in nodes {
            if alignment == .center { node.looks["align"] = "center" }
            if let spacing { node.looks["gap"] = "\(Int(spacing))" }
        }
        return nodes
    }
}
public struct HStack<Content: View>: ShimPrimitive {
    let content: Content
    public init(alignment: VerticalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content) {
        self.content = content()
    }
    public func nodes(_ c: ShimContext) -> [ShimNode] { box("HStack", content, c) }
}
public struct ZStack<Content: View>: ShimPrimitive {
    let content: Content
    public init(alignment: Alignment = .center, @ViewBuilder content: () -> Content) { self.content = content() }
    public func nodes(_ c: ShimContext) -> [ShimNode] { box("ZStack", content, c) }
}
public struct Form<Content: View>: ShimPrimitive {
    let content: Content
    public init(@ViewBuilder content: () -> Content) { self.content = content() }
    public func nodes(_ c: ShimContext) -> [ShimNode] { box("Form", content, c) }
}
public struct ScrollView<Content: View>: ShimPrimitive {
    let content: Content
    public init(@ViewBuilder content: () -> Content) { self.content = content() }
    public func nodes(_ c: ShimContext) -> [ShimNode] { box("ScrollView", content, c) }
}
public struct List<SelectionValue, Content: View>: ShimPrimitive {
    let content: Content
    public init(@ViewBuilder content: () -> Content) where SelectionValue == Never { self.content = content() }
    public func nodes(_ c: ShimContext) -> [ShimNode] { box("List", content, c) }
}
public struct Section<Parent: View, Content: View, Footer: View>: ShimPrimitive {
    let header: Parent, content: Content, footer: Footer
    public init(
        @ViewBuilder content: () -> Content, @ViewBuilder header: () -> Parent, @ViewBuilder footer: () -> Footer
    ) {
        self.content = content(); self.header = header(); self.footer = footer()
    }
    public func nodes(_ c: ShimContext) -> [ShimNode] {
        let below = footer.shimRender(c.at("footer"))
        for node in below { node.looks["part"] = "footer" }
        return [ShimNode("Section", header.shimText(c.at("header")), content.shimRender(c.at("Section")) + below)]
    }
}
extension Section where Parent == EmptyView, Footer == EmptyView {
    public init(@ViewBuilder content: () -> Content) {
        self.init(content: content, header: { EmptyView() }, footer: { EmptyView() })
    }
}
extension Section where Parent == EmptyView {
    public init(@ViewBuilder content: () -> Content, @ViewBuilder footer: () -> Footer) {
        self.init(content: content, header: { EmptyView() }, footer: footer)
    }
}
extension Section where Parent == Text, Footer == EmptyView {
    public init(_ key: LocalizedStringKey, @ViewBuilder content: () -> Content) {
        self.init(content: content, header: { Text(key) }, footer: { EmptyView() })
    }
}
extension Section where Footer == EmptyView {
    public init(@ViewBuilder content: () -> Content, @ViewBuilder header: () -> Parent) {
        self.init(content: content, header: header, footer: { EmptyView() })
    }
}
public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content> {
    let data: Data; let id: (Data.Element) -> ID; let content: (Data.Element) -> Content
}
extension ForEach: View, ShimPrimitive where Content: View {
    public typealias Body = Never
    public init(_ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content)
    {
        self.data = data; self.id = { $0[keyPath: id] }; self.content = content
    }
    public func nodes(_ c: ShimContext) -> [ShimNode] { data.flatMap { content($0).shimRender(c.at("\(id($0))")) } }
}
extension ForEach where Content: View, Data.Element: Identifiable, ID == Data.Element.ID {
    public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content) {
        self.data = data; self.id = { $0.id }; self.content = content
    }
}

// MARK: controls
public struct ButtonRole: Equatable, Sendable {
    let name: String; public static let destructive = Self(name: "destructive"), cancel = Self(name: "cancel")
}
public struct Button<Label: View>: ShimPrimitive {
    let role: ButtonRole?, action: @MainActor () -> Void, label: Label
    public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {
        role = nil; self.action = action; self.label = label()
    }
    public init(role: ButtonRole?, action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {
        self.role = role; self.action = action; self.label = label()
    }
    public func nodes(_ c: ShimContext) -> [ShimNode] {
        let children = label.shimRender(c.at("Button"))
        let node = ShimNode(
            "Button", children.map(\.text).filter { !$0.isEmpty }.joined(separator: " "), enabled: c.env.isEnabled,
            children.flatMap(\.all).filter {
                $0.attributes["hidden"] != nil || !["Text", "HStack", "VStack", "Label", "Shape"].contains($0.kind)
            })
        node.looks = children.count == 1 ? children[0].looks : [:]
        if let role { node.attributes["role"] = role.name }
        node.press = action
        return [node]
    }
}
extension Button where Label == Text {
    public init(_ key: LocalizedStringKey, action: @escaping @MainActor () -> Void) {
        self.init(action: action) { Text(key) }
    }
    public init(_ key: LocalizedStringKey, role: ButtonRole?, action: @escaping @MainActor () -> Void) {
        self.init(role: role, action: action) { Text(key) }
    }
    @_disfavoredOverload public init<S: StringProtocol>(_ title: S, action: @escaping @MainActor () -> Void) {
        self.init(action: action) { Text(title) }
    }
    @_disfavoredOverload public init<S: StringProtocol>(
        _ title: S, role: ButtonRole?, action: @escaping @MainActor () -> Void
    ) { self.init(role: role, action: action) { Text(title) } }
}
@MainActor private func field(
    _ kind: String, _ label: some View, _ text: Binding<String>, _ prompt: Text?, _ c: ShimContext
) -> [ShimNode] {
    let node = ShimNode(kind, label.shimText(c.at("label")), enabled: c.env.isEnabled)
    node.value = text.wrappedValue
    node.set = { text.wrappedValue = $0 }
    node.submit = c.submit
    if let prompt, !prompt.text.isEmpty { node.attributes["prompt"] = prompt.text }
    return [node]
}
public struct TextField<Label: View>: ShimPrimitive {
    let text: Binding<String>, prompt: Text?, label: Label
    public init(text: Binding<String>, prompt: Text? = nil, @ViewBuilder label: () -> Label) {
        self.text = text; self.prompt = prompt; self.label = label()
    }
    public func nodes(_ c: ShimContext) -> [ShimNode] { field("TextField", label, text, prompt, c) }
}
extension TextField where Label == Text {
    public init(_ key: LocalizedStringKey, text: Binding<String>) { self.init(text: text) { Text(key) } }
    public init(_ key: LocalizedStringKey, text: Binding<String>, prompt: Text?) {
        self.init(text: text, prompt: prompt) { Text(key) }
    }
    @_disfavoredOverload public init<S: StringProtocol>(_ title: S, text: Binding<String>) {
        self.init(text: text) { Text(title) }
    }
    @_disfavoredOverload public init<S: StringProtocol>(_ title: S, text: Binding<String>, prompt: Text?) {
        self.init(text: text, prompt: prompt) { Text(title) }
    }
}
public struct SecureField<Label: View>: ShimPrimitive {
    let text: Binding<String>, prompt: Text?, label: Label
    public init(text: Binding<String>, prompt: Text? = nil, @ViewBuilder label: () -> Label) {
        self.text = text; self.prompt = prompt; self.label = label()
    }
    public func nodes(_ c: ShimContext) -> [ShimNode] { field("SecureField", label, text, prompt, c) }
}
extension SecureField where Label == Text {
    public init(_ key: LocalizedStringKey, text: Binding<String>) { self.init(text: text) { Text(key) } }
    public init(_ key: LocalizedStringKey, text: Binding<String>, prompt: Text?) {
        self.init(text: text, prompt: prompt) { Text(key) }
    }
    @_disfavoredOverload public init<S: StringProtocol>(_ title: S, text: Binding<String>) {
        self.init(text: text) { Text(title) }
    }
    @_disfavoredOverload public init<S: StringProtocol>(_ title: S, text: Binding<String>, prompt: Text?) {
        self.init(text: text, prompt: prompt) { Text(title) }
    }
}
public struct Toggle<Label: View>: ShimPrimitive {
    let isOn: Binding<Bool>, label: Label
    public init(isOn: Binding<Bool>, @ViewBuilder label: () -> Label) { self.isOn = isOn; self.label = label() }
    public func nodes(_ c: ShimContext) -> [ShimNode] {
        let node = ShimNode("Toggle", label.shimText(c.at("label")), enabled: c.env.isEnabled)
        node.value = "\(isOn.wrappedValue)"
        node.press = { isOn.wrappedValue.toggle() }
        return [node]
    }
}
extension Toggle where Label == Text {
    public init(_ key: LocalizedStringKey, isOn: Binding<Bool>) { self.init(isOn: isOn) { Text(key) } }
    @_disfavoredOverload public init<S: StringProtocol>(_ title: S, isOn: Binding<Bool>) {
        self.init(isOn: isOn) { Text(title) }
    }
}
public struct ProgressView<Label: View, CurrentValueLabel: View>: ShimPrimitive {
    let label: Label?
    var value: String?
    public func nodes(_ c: ShimContext) -> [ShimNode] {
        let node = ShimNode("ProgressView", label?.shimText(c.at("label")) ?? "")
        node.value = value
        return [node]
    }
}
extension ProgressView where CurrentValueLabel == EmptyView {
    public init() where Label == EmptyView { label = nil }
    public init(_ key: LocalizedStringKey) where Label == Text { label = Text(key) }
    public init(@ViewBuilder label: () -> Label) { self.label = label() }
    @_disfavoredOverload public init<S: StringProtocol>(_ title: S) where Label == Text { label = Text(title) }
    public init<V: BinaryFloatingPoint>(value: V?, total: V = 1.0, @ViewBuilder label: () -> Label) {
        self.label = label()
        self.value = value.map { "\(Int($0)) of \(Int(total))" }
    }
}
public struct Link<Label: View>: ShimPrimitive {
    let url: URL, label: Label
    public init(destination: URL, @ViewBuilder label: () -> Label) { url = destination; self.label = label() }
    public func nodes(_ c: ShimContext) -> [ShimNode] {
        let node = ShimNode("Link", label.shimText(c.at("label")), enabled: c.env.isEnabled)
        node.attributes["href"] = url.absoluteString
        node.press = { c.env.openURL(url) }
        return [node]
    }
}
extension Link where Label == Text {
    public init(_ key: LocalizedStringKey, destination: URL) { self.init(destination: destination) { Text(key) } }
}

// MARK: navigation
public struct NavigationStack<Data, Root: View>: ShimPrimitive {
    /// The view on top of the root, by the app's navigation path: its depth, value and type, and the action that goes
    /// back.
    private typealias Top = (depth: Int, value: Any, type: ObjectIdentifier, pop: () -> Void)
    let root: Root
    private let top: () -> Top?
    private let push: ((Any) -> Void)?
    public init(@ViewBuilder root: () -> Root) where Data == Never {
        self.root = root(); top = { nil }; push = nil
    }
    public init(path: Binding<Data>, @ViewBuilder root: () -> Root)
    where
        Data: MutableCollection, Data: RandomAccessCollection, Data: RangeReplaceableCollection, Data.Element: Hashable
    {
        self.root = root()
        top = {
            path.wrappedValue.last.map { last in
                (path.wrappedValue.count, last, ObjectIdentifier(Data.Element.self), { path.wrappedValue.removeLast() })
            }
        }
        push = { if let value = $0 as? Data.Element { path.wrappedValue.append(value) } }
    }
    public func nodes(_ c: ShimContext) -> [ShimNode] {
        var c = c.at("NavigationStack")
        let navigation = c.host.cell(c.path + "#nav", ShimCell(ShimNavigation())).value
        c.navigation = navigation
        navigation.push = push
        let rootNodes = root.shimRender(c.at("root"))
        let host = c.host, depth: Int, content: any View
        if let top = top() {
            guard let build = navigation.builders[top.type] else {
                fatalError("no navigationDestination for \(type(of: top.value))")
            }
            (depth, content) = (top.depth, build(top.value))
            c.env.dismiss = DismissAction { top.pop() }
        } else if let view = navigation.stack.last {
            (depth, content) = (navigation.stack.count, view())
            c.env.dismiss = DismissAction {
                _ = navigation.stack.popLast(); host.invalidate()
            }
        } else {
            return [ShimNode("NavigationStack", rootNodes)]
        }
        let dismiss = c.env.dismiss
        // The system's own, in the system's language.
        let back = ShimNode("Button", "Back"); back.press = { dismiss() }
        back.attributes["system"] = "true"
        return [ShimNode("NavigationStack", [back] + content.shimRender(c.at("\(depth)")))]
    }
}
public struct NavigationLink<Label: View, Destination: View>: ShimPrimitive {
    let label: Label, push: (ShimNavigation) -> (() -> any View)?
    public func nodes(_ c: ShimContext) -> [ShimNode] {
        let label = label.shimRender(c.at("label"))
        let node = ShimNode(
            "NavigationLink", label.map(\.text).filter { !$0.isEmpty }.joined(separator: " "),
            enabled: c.env.isEnabled && c.navigation != nil)
        let lines = label.flatMap(\.all).filter { $0.kind == "Text" }.map(\.label)
        if lines.count > 1 { node.looks["lines"] = lines.joined(separator: "\n") }
        node.press = {
            if let navigation = c.navigation, let view = push(navigation) {
                navigation.stack.append(view); c.host.invalidate()
            }
        }
        return [node]
    }
    public init(@ViewBuilder destination: @escaping () -> Destination, @ViewBuilder label: () -> Label) {
        self.label = label(); push = { _ in { destination() } }
    }
}
extension NavigationLink where Label == Text {
    public init(_ key: LocalizedStringKey, @ViewBuilder destination: @escaping () -> Destination) {
        self.init(destination: destination) { Text(key) }
    }
}
extension NavigationLink where Destination == Never {
    public init<P: Hashable>(value: P?, @ViewBuilder label: () -> Label) {
        self.label = label()
        push = { navigation in
            if let value, let push = navigation.push { push(value); return nil }
            return value.flatMap { value in
                navigation.builders[ObjectIdentifier(P.self)].map { build in { build(value) } }
            }
        }
    }
    public init<P: Hashable>(_ key: LocalizedStringKey, value: P?) where Label == Text {
        self.init(value: value) { Text(key) }
    }
}
