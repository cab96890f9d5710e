// Crypto is CryptoKit's API in a package: on Apple's platforms it is CryptoKit.
@_exported import Crypto
