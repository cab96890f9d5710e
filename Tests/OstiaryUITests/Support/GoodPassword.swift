let goodPassword = "donau dampf schiff"
