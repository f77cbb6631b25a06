package net.imagej;

/** In place of ImageJ's own, whose jar no registry that is asked has: a service of CLIJ is one, and nobody asks it for more. */
public interface ImageJService extends org.scijava.service.Service {}
