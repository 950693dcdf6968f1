print("offline-odata")
