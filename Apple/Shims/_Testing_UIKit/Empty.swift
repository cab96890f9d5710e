// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals, NoLeadingUnderscores, NeverForceUnwrap
// Swift Testing declares a cross-import overlay of this name for files that import Testing and UIKit.
