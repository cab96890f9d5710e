// An app with screens imports this module only; see decision 40.
@_exported public import OstiaryClient
