package let goodPassword = "donau dampf schiff"
