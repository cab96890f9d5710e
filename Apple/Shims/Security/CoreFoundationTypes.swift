// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals, NoLeadingUnderscores, NeverForceUnwrap
// Shims of the CoreFoundation names that Security's API mentions. On Apple these are toll-free bridged to the
// Foundation classes; on Linux Swift 6.3 `NSString as String`, `[String: Any] as NSDictionary`, `Data as NSData`
// are real coercions, so aliasing keeps the same casts necessary and sufficient on both platforms.
import Foundation

public typealias CFTypeRef = AnyObject
public typealias CFString = NSString
public typealias CFData = NSData
public typealias CFDictionary = NSDictionary
public typealias CFArray = NSArray
public typealias CFBoolean = NSNumber
public typealias CFNumber = NSNumber
public typealias CFError = NSError
public typealias CFDate = NSDate
public typealias CFIndex = Int
public typealias CFTypeID = UInt
// Sendable: there is nothing in it.
public final class CFAllocator: @unchecked Sendable { private init() {} }

public let kCFBooleanTrue: CFBoolean! = NSNumber(value: true)
public let kCFBooleanFalse: CFBoolean! = NSNumber(value: false)
public let kCFAllocatorDefault: CFAllocator! = nil

public typealias OSStatus = Int32
public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?
