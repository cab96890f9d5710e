// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals, NoLeadingUnderscores, NeverForceUnwrap
// See _Testing_UIKit.
