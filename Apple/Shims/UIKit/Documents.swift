// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals, NoLeadingUnderscores, NeverForceUnwrap
import Foundation

open class UIPasteboard: NSObject {
    public struct OptionsKey: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public static let expirationDate = Self(rawValue: "expirationDate"), localOnly = Self(rawValue: "localOnly")
    }
    // Tests read it on the main actor.
    nonisolated(unsafe) private static let shared = UIPasteboard()
    public class var general: UIPasteboard { shared }
    public private(set) var shimItems: [[String: Any]] = []
    public private(set) var shimOptions: [UIPasteboard.OptionsKey: Any] = [:]
    open func setItems(_ items: [[String: Any]], options: [UIPasteboard.OptionsKey: Any] = [:]) {
        (shimItems, shimOptions) = (items, options)
    }
}

@MainActor open class UIPrintFormatter: NSObject {}
@MainActor open class UISimpleTextPrintFormatter: UIPrintFormatter {
    open var text: String?
    public init(text: String) { self.text = text }
}
@MainActor open class UIPrintInteractionController: NSObject {
    public typealias CompletionHandler = (UIPrintInteractionController, Bool, (any Error)?) -> Void
    public static var shimIsAvailable = true
    private static let sharedController = UIPrintInteractionController()
    public class var isPrintingAvailable: Bool { shimIsAvailable }
    public class var shared: UIPrintInteractionController { sharedController }
    open var printFormatter: UIPrintFormatter?
    public private(set) var shimPrinted: [String] = []
    @discardableResult open func present(
        animated: Bool, completionHandler completion: UIPrintInteractionController.CompletionHandler? = nil
    ) -> Bool {
        shimPrinted.append((printFormatter as? UISimpleTextPrintFormatter)?.text ?? "")
        return true
    }
}
