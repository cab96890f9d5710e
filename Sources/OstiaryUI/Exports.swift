// An app with screens imports this module alone, see decision 40.
@_exported public import OstiaryClient
