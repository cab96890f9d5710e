// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals, NoLeadingUnderscores, NeverForceUnwrap

/// Shows the option that is chosen; its options are chosen by `ShimHost.choose(_:in:)`.
public struct Picker<Label: View, SelectionValue: Hashable, Content: View>: ShimPrimitive {
    let selection: Binding<SelectionValue>, content: Content, label: Label
    public init(
        selection: Binding<SelectionValue>, @ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label
    ) {
        self.selection = selection; self.content = content(); self.label = label()
    }
    public func nodes(_ c: ShimContext) -> [ShimNode] {
        let options = content.shimRender(c.at("Picker"))
        let node = ShimNode("Picker", label.shimText(c.at("label")), enabled: c.env.isEnabled)
        // Without a tag of the selection's own type the system shows nothing as chosen.
        node.value = options.first { $0.tag == AnyHashable(selection.wrappedValue) }?.text ?? ""
        node.options = options.map(\.text)
        node.choose = { text in
            let chosen = options.first { $0.text == text }?.tag?.base as? SelectionValue
            if let chosen { selection.wrappedValue = chosen }
        }
        return [node]
    }
}
extension Picker where Label == Text {
    @_disfavoredOverload public init<S: StringProtocol>(
        _ title: S, selection: Binding<SelectionValue>, @ViewBuilder content: () -> Content
    ) { self.init(selection: selection, content: content) { Text(title) } }
}
@MainActor @preconcurrency public protocol PickerStyle {}
public struct MenuPickerStyle: PickerStyle { public nonisolated init() {} }
extension PickerStyle where Self == MenuPickerStyle { public static var menu: Self { .init() } }

extension View {
    public func pickerStyle<S: PickerStyle>(_ style: S) -> some View { self }
    public func tag<V: Hashable>(_ tag: V, includeOptional: Bool = true) -> some View {
        ShimModified(content: self, up: { nodes, _ in for node in nodes { node.tag = AnyHashable(tag) } })
    }
}

extension ShimHost {
    public func options(of label: String) throws -> [String] { try find(["Picker"], label).options }
    public func choose(_ option: String, in label: String) throws {
        let node = try find(["Picker"], label)
        guard node.enabled else { throw Failure(description: "\"\(label)\" is disabled") }
        guard node.options.contains(option) else { throw Failure(description: "no \"\(option)\" in \"\(label)\"") }
        node.choose?(option)
    }
}

public struct ToolbarItemGroup<Content: View>: ToolbarContent {
    let content: Content
    public init(placement: ToolbarItemPlacement = .automatic, @ViewBuilder content: () -> Content) {
        self.content = content()
    }
    public func toolbarNodes(_ c: ShimContext) -> [ShimNode] { content.shimRender(c) }
}

#if canImport(UIKit)  // on macOS too, where no keyboard is on the screen
public struct ScrollDismissesKeyboardMode: Sendable {
    let name: String
    public static var automatic: Self { Self(name: "automatic") }
    public static var immediately: Self { Self(name: "immediately") }
    public static var interactively: Self { Self(name: "interactively") }
    public static var never: Self { Self(name: "never") }
}
extension View {
    public func scrollDismissesKeyboard(_ mode: ScrollDismissesKeyboardMode) -> some View {
        ShimModified(
            content: self,
            up: { nodes, _ in
                for node in nodes where node.kind == "Form" { node.looks["scrollDismissesKeyboard"] = mode.name }
            })
    }
}
#endif
