// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals, NoLeadingUnderscores, NeverForceUnwrap
import Foundation

open class NSPasteboard: NSObject {
    public struct PasteboardType: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public static let string = Self(rawValue: "public.utf8-plain-text")
    }
    public struct ContentsOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let currentHostOnly = Self(rawValue: 1)
    }
    // Tests read it on the main actor.
    nonisolated(unsafe) private static let shared = NSPasteboard()
    public class var general: NSPasteboard { shared }
    public private(set) var shimStrings: [String: String] = [:]
    public private(set) var shimIsLocal = false
    @discardableResult open func prepareForNewContents(with options: NSPasteboard.ContentsOptions = []) -> Int {
        shimIsLocal = options.contains(.currentHostOnly)
        shimStrings = [:]
        return 1
    }
    @discardableResult open func setString(_ string: String, forType dataType: NSPasteboard.PasteboardType) -> Bool {
        shimStrings[dataType.rawValue] = string
        return true
    }
}

@MainActor open class NSView: NSResponder {
    public init(frame frameRect: NSRect) { super.init() }
}
@MainActor open class NSText: NSView {
    open var string = ""
}
@MainActor open class NSTextView: NSText {}
@MainActor open class NSPrintOperation: NSObject {
    public static var shimPrinted: [String] = []
    private let view: NSView
    public init(view: NSView) { self.view = view }
    @discardableResult open func run() -> Bool {
        Self.shimPrinted.append((view as? NSTextView)?.string ?? "")
        return true
    }
}
