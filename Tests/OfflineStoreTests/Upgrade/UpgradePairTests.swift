import OfflineStore
import Testing
