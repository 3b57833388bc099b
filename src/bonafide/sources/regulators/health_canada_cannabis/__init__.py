"""Licensed cultivators, processors and sellers of cannabis: Health Canada."""
