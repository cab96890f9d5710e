// A program imports this module only; the re-exports make members of these modules' types visible to it (decision 40).
@_exported public import OstiaryAdminAPI
@_exported public import OstiaryClient
