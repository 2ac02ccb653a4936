"""Imports a feed with pygtfs, which makes an object of every row: pygtfs_load.py FEED.zip OUT.sqlite (pip install pygtfs)"""
import os
import sys

import pygtfs

feed, out = sys.argv[1:]
if os.path.exists(out):
    os.remove(out)
pygtfs.append_feed(pygtfs.Schedule(out), feed)
